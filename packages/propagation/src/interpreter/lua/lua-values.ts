/** JSON in Lua, and back. */
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue, ownValue, setOwn } from '@lifeline/core';
import { lua, type LuaState, to_jsstring, to_luastring } from 'fengari';
import { LuaError } from './lua-error.ts';

/** Deeper than any object; a table may hold itself. */
const deepest = 100;
/** What one level of a table takes on the stack, and some. */
const slots = 8;
/** What an integer of this Lua can be. */
const isLuaInteger = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31;

/** Pushes a value. Null and absent are nil; a number that a double does not hold loses digits, as it does in Karmada. */
export function push(state: LuaState, value: JsonValue | undefined): void {
  lua.lua_checkstack(state, slots);
  if (value === null || value === undefined) lua.lua_pushnil(state);
  else if (typeof value === 'boolean') lua.lua_pushboolean(state, value);
  else if (typeof value === 'string') lua.lua_pushstring(state, to_luastring(value));
  else if (typeof value === 'number' || value instanceof JsonNumber) pushNumber(state, Number(value));
  else if (isJsonArray(value)) {
    lua.lua_createtable(state, value.length, 0);
    for (const [index, item] of value.entries()) {
      push(state, item);
      lua.lua_rawseti(state, -2, index + 1);
    }
  } else {
    lua.lua_createtable(state, 0, 0);
    for (const [key, member] of Object.entries(value)) {
      lua.lua_pushstring(state, to_luastring(key));
      push(state, member);
      lua.lua_rawset(state, -3);
    }
  }
}

const pushNumber = (state: LuaState, value: number): void =>
  isLuaInteger(value) ? lua.lua_pushinteger(state, value) : lua.lua_pushnumber(state, value);

/**
 * The value at the top of the stack, which stays there.
 *
 * Lua does not tell an empty list from an empty object. One that an original has at the same place is what it was there; any other is
 * left out.
 * @throws LuaError for what JSON cannot say: functions, keys of several types, lists with holes, tables in themselves
 */
export function read(state: LuaState, originals: readonly (JsonValue | undefined)[]): JsonValue {
  const value = valueAt(state, originals, deepest);
  return value === undefined ? {} : value;
}

/** Undefined: an empty table of which nobody knows what it was. */
function valueAt(state: LuaState, originals: readonly (JsonValue | undefined)[], depth: number): JsonValue | undefined {
  if (depth === 0) throw new LuaError('the result is too deep');
  switch (lua.lua_type(state, -1)) {
    case lua.LUA_TNIL:
      return null;
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(state, -1);
    case lua.LUA_TNUMBER:
      return numberAt(state);
    case lua.LUA_TSTRING:
      return textAt(state);
    case lua.LUA_TTABLE:
      return tableAt(state, originals, depth);
    default:
      throw new LuaError('the result holds what is no JSON');
  }
}

function numberAt(state: LuaState): number {
  const value = lua.lua_tonumber(state, -1);
  if (!Number.isFinite(value)) throw new LuaError('the result holds a number that is none');
  return value;
}

const textAt = (state: LuaState): string => to_jsstring(lua.lua_tostring(state, -1) ?? to_luastring(''));

function tableAt(state: LuaState, originals: readonly (JsonValue | undefined)[], depth: number): JsonValue | undefined {
  lua.lua_checkstack(state, slots);
  const members: Record<string, JsonValue> = {};
  const items: (JsonValue | undefined)[] = [];
  let found: 'nothing' | 'list' | 'object' = 'nothing';
  lua.lua_pushnil(state);
  while (lua.lua_next(state, -2) !== 0) {
    const isItem = lua.lua_type(state, -2) === lua.LUA_TNUMBER;
    if (!isItem && lua.lua_type(state, -2) !== lua.LUA_TSTRING) throw new LuaError('a key that is no text');
    if (found !== 'nothing' && (found === 'list') !== isItem) throw new LuaError('a table with keys of two types');
    if (isItem) {
      found = 'list';
      const index = lua.lua_tonumber(state, -2) - 1;
      items[index] = valueAt(
        state,
        originals.map((original) => (isJsonArray(original) ? original[index] : undefined)),
        depth - 1,
      );
    } else {
      found = 'object';
      const key = to_jsstring(lua.lua_tostring(state, -2) ?? to_luastring(''));
      const member = valueAt(
        state,
        originals.map((original) => (isJsonObject(original) ? ownValue(original, key) : undefined)),
        depth - 1,
      );
      if (member !== undefined) setOwn(members, key, member);
    }
    lua.lua_pop(state, 1);
  }
  if (found === 'object') return members;
  if (found === 'nothing') return emptyLike(originals);
  if (!items.every((_, index) => index in items) || items.length !== Object.keys(items).length)
    throw new LuaError('a list with holes');
  return items.map((item) => item ?? {});
}

function emptyLike(originals: readonly (JsonValue | undefined)[]): JsonValue | undefined {
  for (const original of originals) {
    if (isJsonArray(original) && original.length === 0) return [];
    if (isJsonObject(original) && Object.keys(original).length === 0) return {};
  }
  return undefined;
}
