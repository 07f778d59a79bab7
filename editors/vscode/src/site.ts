// The site of the playground, packaged with the extension, on a port of this machine: a page in a panel of VS Code has no origin of
// its own, and the playground needs one for its workers and its module.

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

/** A site that is served. */
export interface Site {
  /** The address of its port on this machine, with a slash at its end. */
  readonly origin: string;
  /** The path of the site there, with a slash at its end and none at its beginning. */
  readonly path: string;
  close(): void;
}

/** Serves a folder. The path begins with a secret, so that other pages of this machine do not find it. */
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
      // Files have a hash in their names or are small.
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

/** The file that a request means, or nothing outside the folder. */
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
