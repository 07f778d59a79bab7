// Server of the playground's site, which is packaged with the extension, on a port of this machine. The playground needs an origin of
// its own for its workers and its WebAssembly module; a page in a panel of VS Code has none.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** A running server. */
export interface Site {
  /** Origin of the server, `http://127.0.0.1:PORT/`, ending with a slash. */
  readonly origin: string;
  /** Path of the site below the origin, ending with a slash and not beginning with one. */
  readonly path: string;
  close(): void;
}

/** Serves a folder. The path begins with a random secret, so that other pages on this machine cannot find the site. */
export async function serve(folder: string): Promise<Site> {
  const path = `${randomBytes(16).toString('hex')}/`;
  const server = createServer(async (request, response) => {
    const file = found(folder, `/${path}`, request.url ?? '');
    const body = file === undefined ? undefined : await readFile(file).catch(() => undefined);
    if (file === undefined || body === undefined || !['GET', 'HEAD'].includes(request.method ?? '')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-length': body.length,
      // Revalidation is cheap: files have a hash in their names or are small.
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}/`,
    path,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns the file that a request names; undefined without the secret or outside the folder. */
function found(folder: string, secret: string, url: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  if (!path.startsWith(secret)) return undefined;
  const file = normalize(join(folder, path.slice(secret.length)));
  if (!`${file}${sep}`.startsWith(`${normalize(folder)}${sep}`)) return undefined;
  return path.endsWith('/') ? join(file, 'index.html') : file;
}
