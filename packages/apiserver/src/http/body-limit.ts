/** Bytes of a request body that are taken. @see kubernetes/apiserver@v0.36.3 pkg/server/config.go */
export const bodyLimit = 3 << 20;
