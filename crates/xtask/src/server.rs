//! A small file server for the built site: GET and HEAD, one thread per connection, one request per connection.
//!
//! It sends the headers that the site is meant to be served with, so that what works here works in production. Of `tiny_http`,
//! which takes six seconds of one core to compile, it could use the reading of a request and of a head, forty lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::failure::{Failure, Outcome};

const DEFAULT_PORT: u16 = 8080;

/// How many ports after a taken one are tried.
const PORTS_TRIED: u16 = 100;

/// Longer requests than any browser sends are refused.
const LONGEST_REQUEST: u64 = 64 * 1024;

/// The content security policy of the site; `web/index.html` carries the same one for hosts that set no headers.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
                      worker-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'";

/// Serves the site until the process ends, at the port asked for or the next free one.
pub(crate) fn serve(root: &Path, port: Option<u16>) -> Outcome<()> {
    let wanted = port.unwrap_or(DEFAULT_PORT);
    let server = Server::bind(root, wanted)?;
    if server.port() != wanted && wanted != 0 {
        println!("Port {wanted} is taken.");
    }
    println!("\nFletch is at {}   (Ctrl-C stops it)", server.address());
    server.run();
    Ok(())
}

/// A server that has its port and waits for `run`.
pub(crate) struct Server {
    root: PathBuf,
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Takes the port, or the first free one of those after it; any free one for port 0.
    pub(crate) fn bind(root: &Path, port: u16) -> Outcome<Self> {
        let root = root.canonicalize().map_err(Failure::io("find", root))?;
        let mut error = io::Error::from(ErrorKind::AddrInUse);
        for candidate in port..=port.saturating_add(PORTS_TRIED) {
            match TcpListener::bind((Ipv4Addr::LOCALHOST, candidate)) {
                Ok(listener) => {
                    let address = listener
                        .local_addr()
                        .map_err(|error| Failure::new(error.to_string()))?;
                    return Ok(Self {
                        root,
                        listener,
                        address,
                    });
                }
                Err(reason) => error = reason,
            }
        }
        Err(Failure::new(format!(
            "no port from {port} on could be had: {error}"
        )))
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address to open, such as `http://127.0.0.1:8080/`.
    pub(crate) fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers requests until the process ends.
    pub(crate) fn run(&self) {
        for connection in self.listener.incoming().flatten() {
            let root = self.root.clone();
            // A browser that goes away in the middle of an answer is no error here.
            thread::spawn(move || answer(&root, &connection).ok());
        }
    }
}

/// Reads one request and answers it.
fn answer(root: &Path, connection: &TcpStream) -> io::Result<()> {
    connection.set_read_timeout(Some(Duration::from_secs(20)))?;
    let mut reader = BufReader::new(connection.take(LONGEST_REQUEST));
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut header = String::new();
    // The headers change nothing here, but a connection closed with unread input is reset.
    while reader.read_line(&mut header)? > 0 && !header.trim().is_empty() {
        header.clear();
    }
    let mut words = request.split_whitespace();
    let (method, target) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    if !matches!(method, "GET" | "HEAD") {
        return refuse(connection, "405 Method Not Allowed");
    }
    let Some((path, mut file)) =
        resolve(root, target).and_then(|path| File::open(&path).ok().map(|file| (path, file)))
    else {
        return refuse(connection, "404 Not Found");
    };
    head(
        connection,
        "200 OK",
        media_type(&path),
        file.metadata()?.len(),
    )?;
    if method == "GET" {
        io::copy(&mut file, &mut { connection })?;
    }
    Ok(())
}

fn refuse(connection: &TcpStream, status: &str) -> io::Result<()> {
    head(
        connection,
        status,
        "text/plain; charset=utf-8",
        status.len() as u64,
    )?;
    { connection }.write_all(status.as_bytes())
}

fn head(mut connection: &TcpStream, status: &str, media_type: &str, length: u64) -> io::Result<()> {
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\nContent-Security-Policy: {POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n"
    );
    connection.write_all(text.as_bytes())
}

/// The file that a request's target names: inside of the root, whatever the target says and wherever links point. A folder
/// stands for its `index.html`.
fn resolve(root: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?;
    let decoded = percent_decoded(path.strip_prefix('/')?)?;
    let mut file = root.to_path_buf();
    for part in decoded.split('/').filter(|part| !part.is_empty()) {
        // Hidden files are no part of the site; `..` begins with a dot as well.
        if part.starts_with('.') || part.contains(['\\', ':', '\0']) {
            return None;
        }
        file.push(part);
    }
    if file.is_dir() {
        file.push("index.html");
    }
    let file = file.canonicalize().ok()?;
    (file.starts_with(root) && file.is_file()).then_some(file)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The media type that a file's ending says. Browsers refuse scripts, workers and streamed wasm of any other type.
fn media_type(path: &Path) -> &'static str {
    match path
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
    {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" | "fletch" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A site in a folder of its own, taken away at the end.
    struct Site(PathBuf);

    impl Site {
        fn new(name: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("fletch-site-{name}-{}", std::process::id()));
            fs::create_dir_all(folder.join("dist/sub dir/α")).unwrap();
            fs::write(folder.join("secret"), "secret").unwrap();
            fs::write(folder.join("dist/.hidden"), "hidden").unwrap();
            fs::write(folder.join("dist/index.html"), "<!doctype html>").unwrap();
            fs::write(folder.join("dist/sub dir/α/a.wasm"), [0, 1, 2, 255]).unwrap();
            Self(folder)
        }

        fn root(&self) -> PathBuf {
            self.0.join("dist").canonicalize().unwrap()
        }
    }

    impl Drop for Site {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn targets_stay_inside_the_root() {
        let site = Site::new("targets");
        let root = site.root();
        for (target, file) in [
            ("/", Some("index.html")),
            ("/index.html?a=../b#c", Some("index.html")),
            ("/sub%20dir/%CE%B1/a.wasm", Some("sub dir/α/a.wasm")),
            ("//sub%20dir//%CE%B1/a.wasm", Some("sub dir/α/a.wasm")),
            ("/sub%20dir/", None),
            ("/../secret", None),
            ("/%2e%2e/secret", None),
            ("/%2E%2E%2Fsecret", None),
            ("/..%5csecret", None),
            ("/sub%20dir/../../secret", None),
            ("/.hidden", None),
            ("//etc/passwd", None),
            ("/%00", None),
            ("/%zz", None),
            ("/%", None),
            ("/%c3", None),
            ("index.html", None),
            ("", None),
        ] {
            assert_eq!(
                resolve(&root, target),
                file.map(|file| root.join(file)),
                "{target}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_root_are_not_followed() {
        let site = Site::new("links");
        std::os::unix::fs::symlink(site.0.join("secret"), site.root().join("link")).unwrap();
        assert_eq!(resolve(&site.root(), "/link"), None);
    }

    fn request(server: &Server, text: &str) -> Vec<u8> {
        let mut connection = TcpStream::connect(server.address).unwrap();
        connection.write_all(text.as_bytes()).unwrap();
        let mut reply = Vec::new();
        connection.read_to_end(&mut reply).unwrap();
        reply
    }

    #[test]
    fn answers_with_type_policy_and_bytes() {
        let site = Site::new("answers");
        let server = Server::bind(&site.root(), 0).unwrap();
        let running = Server {
            root: server.root.clone(),
            listener: server.listener.try_clone().unwrap(),
            address: server.address,
        };
        thread::spawn(move || running.run());

        let reply = request(
            &server,
            "GET /sub%20dir/%CE%B1/a.wasm HTTP/1.1\r\nHost: x\r\n\r\n",
        );
        let text = String::from_utf8_lossy(&reply);
        assert!(
            text.starts_with(
                "HTTP/1.1 200 OK\r\nContent-Type: application/wasm\r\nContent-Length: 4\r\n"
            ),
            "{text}"
        );
        assert!(text.contains("\r\nContent-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval';"), "{text}");
        assert!(reply.ends_with(b"\r\n\r\n\x00\x01\x02\xff"));

        let head = request(&server, "HEAD / HTTP/1.1\r\n\r\n");
        assert!(head.starts_with(b"HTTP/1.1 200 OK") && head.ends_with(b"\r\n\r\n"));
        assert!(request(&server, "GET /../secret HTTP/1.1\r\n\r\n").starts_with(b"HTTP/1.1 404"));
        assert!(request(&server, "POST / HTTP/1.1\r\n\r\n").starts_with(b"HTTP/1.1 405"));
        assert!(request(&server, "\r\n\r\n").starts_with(b"HTTP/1.1 405"));
    }

    #[test]
    fn a_taken_port_gives_the_next_free_one() {
        let site = Site::new("ports");
        let first = Server::bind(&site.root(), 0).unwrap();
        let second = Server::bind(&site.root(), first.port()).unwrap();
        assert!(second.port() > first.port());
    }

    #[test]
    fn the_page_carries_the_same_policy() {
        let page =
            fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/index.html"))
                .unwrap();
        assert!(page.contains(&format!("content=\"{POLICY}\"")));
    }
}
