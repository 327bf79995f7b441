/** build.mjs bundles what follows "worker:" on its own and gives its text. */
declare module "worker:*" {
  const source: string;
  export default source;
}
