/** Writes the documentation site as static files into a folder, for a server that has them at `base`. */
export function writeDocumentation(folder: string, base?: string): Promise<void>
/** Builds the site of this clone where its inputs have changed; returns its folder. */
export function buildDocumentation(): Promise<string>
