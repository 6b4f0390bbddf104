/** Descriptors by the names that reflection asks for. */
import { Cursor } from '../wire/cursor.ts';
import { descriptorFields } from './descriptor-writer.ts';

export interface DescriptorFile {
  readonly bytes: Uint8Array;
  readonly dependencies: readonly string[];
}

export class DescriptorIndex {
  readonly #files = new Map<string, DescriptorFile>();
  /** Symbol → file. */
  readonly #symbols = new Map<string, string>();
  readonly #services: string[] = [];

  /** @param files `FileDescriptorProto`s */
  constructor(files: readonly Uint8Array[]) {
    for (const bytes of files) this.#add(bytes);
  }

  /** In order of their names. */
  get services(): readonly string[] {
    return this.#services.toSorted();
  }

  /** The file and those that it needs, itself first; undefined when there is none of that name. */
  file(name: string): readonly Uint8Array[] | undefined {
    if (!this.#files.has(name)) return undefined;
    const found = new Map<string, DescriptorFile>();
    const visit = (each: string): void => {
      const file = this.#files.get(each);
      if (!file || found.has(each)) return;
      found.set(each, file);
      file.dependencies.forEach(visit);
    };
    visit(name);
    return Array.from(found.values(), ({ bytes }) => bytes);
  }

  /** The same, by the full name of a service, method, message or enum. */
  symbol(name: string): readonly Uint8Array[] | undefined {
    return this.file(this.#symbols.get(name) ?? '');
  }

  #add(bytes: Uint8Array): void {
    const { file } = descriptorFields;
    const [name = '', scope = ''] = [file.name, file.package].map((field) => textsOf(new Cursor(bytes), field)[0]);
    const within = (symbol: string): string => (scope === '' ? symbol : `${scope}.${symbol}`);
    const symbols: string[] = [];
    const cursor = new Cursor(bytes);
    while (cursor.next()) {
      if (cursor.isBytes(file.message)) symbols.push(...messageSymbols(cursor.enter(), within));
      else if (cursor.isBytes(file.enum)) symbols.push(within(nameOf(cursor.enter())));
      else if (cursor.isBytes(file.service)) {
        const service = within(nameOf(cursor.enter()));
        this.#services.push(service);
        symbols.push(service);
        const parts = cursor.enter();
        while (parts.next())
          if (parts.isBytes(descriptorFields.service.method)) symbols.push(`${service}.${nameOf(parts.enter())}`);
      }
    }
    for (const symbol of symbols) this.#symbols.set(symbol, name);
    this.#files.set(name, { bytes, dependencies: textsOf(new Cursor(bytes), file.dependency) });
  }
}

/** It and what is declared in it. */
function messageSymbols(message: Cursor, scope: (name: string) => string): string[] {
  const { nested, enum: enumeration } = descriptorFields.message;
  const symbol = scope(nameOf(sameAs(message)));
  const symbols = [symbol];
  const inside = (name: string): string => `${symbol}.${name}`;
  while (message.next()) {
    if (message.isBytes(nested)) symbols.push(...messageSymbols(message.enter(), inside));
    else if (message.isBytes(enumeration)) symbols.push(inside(nameOf(message.enter())));
  }
  return symbols;
}

const sameAs = ({ bytes, after, end }: Cursor): Cursor => new Cursor(bytes, after, end);

const nameOf = (part: Cursor): string => textsOf(part, descriptorFields.name)[0] ?? '';

function textsOf(cursor: Cursor, field: number): string[] {
  const texts: string[] = [];
  while (cursor.next()) if (cursor.isBytes(field)) texts.push(cursor.text());
  return texts;
}
