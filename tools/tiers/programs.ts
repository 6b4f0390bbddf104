/** The programs that tiers need beside Node, each in the least version that will do. */
export interface Program {
  /** As on the PATH. */
  readonly name: string;
  /** The environment variable that names another one. */
  readonly variable: string;
  /** What makes it print its version. */
  readonly versionArgs: readonly string[];
  /** Groups of what it then prints: the version, its major and its minor number. */
  readonly version: RegExp;
  readonly least: { readonly major: number; readonly minor: number };
}

export const kubectl: Program = {
  name: 'kubectl',
  variable: 'KUBECTL',
  versionArgs: ['version', '--client', '--output=json'],
  version: /"gitVersion":\s*"(v(\d+)\.(\d+)\.[^"]*)"/,
  // From 1.35 on `kubectl create` sends protobuf and has no way back to JSON, and a server that answers the older ones only is not what
  // anybody will meet.
  least: { major: 1, minor: 35 },
};

export const helm: Program = {
  name: 'helm',
  variable: 'HELM',
  versionArgs: ['version', '--short'],
  version: /^(v(\d+)\.(\d+)\.\S*)$/m,
  // Older ones read the schema of values with another library.
  least: { major: 3, minor: 18 },
};
