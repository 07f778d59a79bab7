// The HTML document of a panel: the playground in a frame, and a script that opens another version of the program in it.

import { randomBytes } from 'node:crypto';

/** Returns the document. @param address address of the playground with the initial program */
export function panel(address: string, title: string): string {
  const nonce = randomBytes(16).toString('base64');
  const { origin } = new URL(address);
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${origin}; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'">
  <title>${escaped(title)}</title>
  <style nonce="${nonce}">
    html, body { height: 100%; margin: 0; padding: 0; }
    iframe { display: block; width: 100%; height: 100%; border: 0; }
    p { margin: 0; padding: 0.5em 1em; }
  </style>
</head>
<body>
  <p role="alert" hidden></p>
  <iframe title="${escaped(title)}" src="${escaped(address)}" allow="clipboard-write; fullscreen"></iframe>
  <script nonce="${nonce}">
    const [frame, told] = [document.querySelector('iframe'), document.querySelector('p')];
    addEventListener('message', ({ data }) => {
      told.hidden = data.problem === undefined;
      told.textContent = data.problem ?? '';
      // Another fragment of the same address: the playground opens the program without being loaded again.
      if (data.address !== undefined) frame.src = data.address;
    });
  </script>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
