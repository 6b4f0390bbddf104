export { createScriptedApi, ScriptedApi, type ScriptedApiOptions } from './scripted-api.ts';
