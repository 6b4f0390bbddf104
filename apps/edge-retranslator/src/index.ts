/** Makes Envoy Gateway translate again until what is programmed is what is wanted. */
export {};
