/** The part of fengari that is used here. It has no types of its own. */
declare module 'fengari' {
  export interface LuaState {
    readonly __luaState: never;
  }
  export type LuaString = Uint8Array;
  type LuaFunction = (state: LuaState) => number;

  export function to_luastring(text: string): LuaString;
  export function to_jsstring(text: LuaString): string;

  export const lua: {
    readonly LUA_OK: number;
    readonly LUA_MASKCOUNT: number;
    readonly LUA_TNIL: number;
    readonly LUA_TBOOLEAN: number;
    readonly LUA_TNUMBER: number;
    readonly LUA_TSTRING: number;
    readonly LUA_TTABLE: number;
    readonly LUA_TFUNCTION: number;
    readonly LUA_REGISTRYINDEX: number;
    lua_checkstack(state: LuaState, slots: number): boolean;
    lua_createtable(state: LuaState, items: number, members: number): void;
    lua_getglobal(state: LuaState, name: LuaString): number;
    lua_next(state: LuaState, index: number): number;
    lua_pcall(state: LuaState, args: number, results: number, handler: number): number;
    lua_pop(state: LuaState, count: number): void;
    lua_pushboolean(state: LuaState, value: boolean): void;
    lua_pushinteger(state: LuaState, value: number): void;
    lua_pushnil(state: LuaState): void;
    lua_pushnumber(state: LuaState, value: number): void;
    lua_pushstring(state: LuaState, value: LuaString): void;
    lua_rawgeti(state: LuaState, index: number, key: number): number;
    lua_rawset(state: LuaState, index: number): void;
    lua_rawseti(state: LuaState, index: number, key: number): void;
    lua_setfield(state: LuaState, index: number, name: LuaString): void;
    lua_setglobal(state: LuaState, name: LuaString): void;
    lua_sethook(state: LuaState, hook: ((state: LuaState) => void) | null, mask: number, count: number): void;
    lua_settop(state: LuaState, index: number): void;
    lua_toboolean(state: LuaState, index: number): boolean;
    lua_tonumber(state: LuaState, index: number): number;
    lua_tostring(state: LuaState, index: number): LuaString | null;
    lua_type(state: LuaState, index: number): number;
  };

  export const lauxlib: {
    luaL_error(state: LuaState, message: LuaString): never;
    luaL_loadbuffer(state: LuaState, text: LuaString, length: number | null, name: LuaString): number;
    luaL_newstate(): LuaState;
    luaL_ref(state: LuaState, index: number): number;
    luaL_requiref(state: LuaState, name: LuaString, open: LuaFunction, global: number): void;
  };

  export const lualib: {
    readonly luaopen_base: LuaFunction;
    readonly luaopen_math: LuaFunction;
    readonly luaopen_string: LuaFunction;
    readonly luaopen_table: LuaFunction;
  };
}
