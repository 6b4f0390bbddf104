/** Runs scripts that we did not write. */
import type { JsonValue } from '@lifeline/core';
import { lauxlib, lua, lualib, type LuaState, to_jsstring, to_luastring } from 'fengari';
import { LuaError } from './lua-error.ts';
import { push, read } from './lua-values.ts';

/** Scripts can do without; each is a way out, or undoes that calls are repeatable. */
const forbidden = [
  'collectgarbage',
  'dofile',
  'getmetatable',
  'load',
  'loadfile',
  'loadstring',
  'print',
  'rawequal',
  'rawget',
  'rawset',
  'require',
  'setmetatable',
];

/** Instructions between two looks at the limit. */
const stride = 1000;

export interface LuaCall {
  readonly script: string;
  /** A global function that the script defines. */
  readonly name: string;
  readonly args: readonly (JsonValue | undefined)[];
  readonly results: number;
  /** What empty tables of the results may stand for, see `read`. */
  readonly originals?: readonly (JsonValue | undefined)[];
}

/**
 * One Lua state for all scripts. Each call runs its whole script again, then the function; what a script leaves in globals is there for
 * the next one, as in Karmada, whose machines are used again.
 *
 * Guarantees: no files, no operating system, no chance, no clock; after the limit of instructions the call ends with an error, whatever
 * the script does.
 */
export class LuaMachine {
  readonly #instructionLimit: number;
  /** Compiled scripts by their text: references into the state's registry. */
  readonly #chunks = new Map<string, number>();

  #opened: LuaState | undefined;

  constructor(instructionLimit: number) {
    this.#instructionLimit = instructionLimit;
  }

  /** @throws LuaError */
  call({ script, name, args, results, originals = [] }: LuaCall): readonly JsonValue[] {
    const state = this.#state;
    lua.lua_settop(state, 0);
    this.#limit();
    try {
      lua.lua_rawgeti(state, lua.LUA_REGISTRYINDEX, this.#compiled(script));
      this.#run(0, 0);
      if (lua.lua_getglobal(state, to_luastring(name)) !== lua.LUA_TFUNCTION)
        throw new LuaError(`the script defines no function ${name}`);
      for (const arg of args) push(state, arg);
      this.#run(args.length, results);
      return this.#take(results, originals);
    } finally {
      lua.lua_sethook(state, null, 0, 0);
      lua.lua_settop(state, 0);
    }
  }

  /** Opened by the first call: most planes have no script. */
  get #state(): LuaState {
    return (this.#opened ??= open());
  }

  #compiled(script: string): number {
    const known = this.#chunks.get(script);
    if (known !== undefined) return known;
    const text = to_luastring(script);
    if (lauxlib.luaL_loadbuffer(this.#state, text, text.length, to_luastring('=script')) !== lua.LUA_OK)
      throw this.#failure();
    const reference = lauxlib.luaL_ref(this.#state, lua.LUA_REGISTRYINDEX);
    this.#chunks.set(script, reference);
    return reference;
  }

  #run(args: number, results: number): void {
    if (lua.lua_pcall(this.#state, args, results, 0) !== lua.LUA_OK) throw this.#failure();
  }

  #failure(): LuaError {
    const said = lua.lua_tostring(this.#state, -1);
    return new LuaError(said ? to_jsstring(said) : 'the script failed');
  }

  #take(results: number, originals: readonly (JsonValue | undefined)[]): readonly JsonValue[] {
    const taken: JsonValue[] = [];
    for (let left = results; left > 0; left--) {
      taken.unshift(read(this.#state, originals));
      lua.lua_pop(this.#state, 1);
    }
    return taken;
  }

  /** Once the limit is passed every instruction fails: a script that catches the error gets no further. */
  #limit(): void {
    let left = this.#instructionLimit;
    const message = to_luastring('the script ran too long');
    const hook = (state: LuaState): void => {
      left -= stride;
      if (left > 0) return;
      lua.lua_sethook(state, fail, lua.LUA_MASKCOUNT, 1);
      lauxlib.luaL_error(state, message);
    };
    const fail = (state: LuaState): never => lauxlib.luaL_error(state, message);
    lua.lua_sethook(this.#state, hook, lua.LUA_MASKCOUNT, stride);
  }
}

function open(): LuaState {
  const state = lauxlib.luaL_newstate();
  const libraries = {
    _G: lualib.luaopen_base,
    table: lualib.luaopen_table,
    string: lualib.luaopen_string,
    math: lualib.luaopen_math,
  };
  for (const [name, library] of Object.entries(libraries)) lauxlib.luaL_requiref(state, to_luastring(name), library, 1);
  lua.lua_settop(state, 0);
  for (const name of forbidden) remove(state, name);
  lua.lua_getglobal(state, to_luastring('math'));
  for (const name of ['random', 'randomseed']) removeMember(state, name);
  lua.lua_getglobal(state, to_luastring('string'));
  // Memory is not counted in instructions.
  for (const name of ['rep', 'dump']) removeMember(state, name);
  lua.lua_settop(state, 0);
  return state;
}

function remove(state: LuaState, name: string): void {
  lua.lua_pushnil(state);
  lua.lua_setglobal(state, to_luastring(name));
}

/** From the table at the top of the stack. */
function removeMember(state: LuaState, name: string): void {
  lua.lua_pushnil(state);
  lua.lua_setfield(state, -2, to_luastring(name));
}
