/** As much of a loaded package as holds descriptors. @see @grpc/proto-loader's `PackageDefinition` */
interface LoadedPackage {
  readonly [name: string]: object;
}

/** The `FileDescriptorProto`s of a package that proto-loader made, each once. */
export function packageDescriptors(loaded: LoadedPackage): readonly Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  for (const part of Object.values(loaded)) {
    const { fileDescriptorProtos = [] } = part as { readonly fileDescriptorProtos?: readonly Buffer[] };
    for (const file of fileDescriptorProtos) found.set(file.toString('base64'), file);
  }
  return [...found.values()];
}
