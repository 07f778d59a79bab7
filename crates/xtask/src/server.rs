//! A small file server for the built site: GET and HEAD, one thread per connection.
//!
//! The server handles the site like a production host, so that results are the same in production: it sends the same headers, compressed
//! files (`Encoding`), unlimited caching for files with a hash in their names, and tags for all others. The crate `tiny_http` takes six
//! seconds of one core to compile; it would only replace the parsing of requests and the writing of heads, sixty lines.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use crate::failure::{Failure, Outcome};

const DEFAULT_PORT: u16 = 8080;

/// Number of ports that are tried after a taken one.
const PORTS_TRIED: u16 = 100;

/// Maximum size of a request in bytes. No browser sends a longer one.
const LONGEST_REQUEST: u64 = 64 * 1024;

/// Content security policy of the site. `web/index.html` has the same one, for hosts that set no headers.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
                      worker-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'";

/// Serves the site until the process ends, at the requested port or the next free one.
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

/// A server that has bound its port; [`Server::run`] answers requests.
pub(crate) struct Server {
    root: PathBuf,
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Binds the port, or the first free port after it; any free port for 0.
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

    /// Replies to requests until the process ends.
    pub(crate) fn run(&self) {
        for connection in self.listener.incoming().flatten() {
            let root = self.root.clone();
            // A browser may close the connection in the middle of a reply; this error is ignored.
            thread::spawn(move || answer(&root, &connection).ok());
        }
    }
}

/// Fields of a request that determine the reply.
#[derive(Debug, Default)]
struct Request {
    method: String,
    target: String,
    /// True if the connection may serve another request.
    goes_on: bool,
    /// Value of the header `Accept-Encoding`.
    encodings: String,
    /// Value of the header `If-None-Match`: tags of the files in the browser's cache.
    tags: String,
}

/// Compression of a file when the site was built, into a second file next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// All encodings, the preferred one first.
    const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// Name of the encoding in headers.
    fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// Ending that compressed files have after the name of the original.
    fn ending(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }
}

/// A file to be sent.
struct Sent {
    file: File,
    length: u64,
    /// Entity tag, which changes when the file does.
    tag: String,
    encoding: Option<Encoding>,
}

/// Replies to the requests of a connection, one after the other.
fn answer(root: &Path, connection: &TcpStream) -> io::Result<()> {
    connection.set_read_timeout(Some(Duration::from_secs(20)))?;
    // A reply is written as a whole, so delaying small packets gains nothing.
    connection.set_nodelay(true)?;
    let mut reader = BufReader::new(connection);
    while let Some(request) = read(&mut reader)? {
        respond(root, &request, connection)?;
        if !request.goes_on {
            break;
        }
    }
    Ok(())
}

/// Reads the next request of a connection; `None` once the browser has closed it.
fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut head = reader.take(LONGEST_REQUEST);
    let mut line = String::new();
    if head.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace();
    let mut word = || words.next().unwrap_or_default().to_owned();
    let mut request = Request {
        method: word(),
        target: word(),
        goes_on: word() == "HTTP/1.1",
        ..Request::default()
    };
    loop {
        line.clear();
        if head.read_line(&mut line)? == 0 {
            // The head is cut off or too long, so the following bytes are no request.
            request.goes_on = false;
            return Ok(Some(request));
        }
        let Some((name, value)) = line.trim().split_once(':') else {
            break;
        };
        let value = value.trim();
        match &*name.to_ascii_lowercase() {
            "connection" if value.eq_ignore_ascii_case("close") => request.goes_on = false,
            // A body is never read, so no request can follow on this connection.
            "content-length" | "transfer-encoding" => request.goes_on = false,
            "accept-encoding" => value.clone_into(&mut request.encodings),
            "if-none-match" => value.clone_into(&mut request.tags),
            _ => {}
        }
    }
    Ok(Some(request))
}

fn respond(root: &Path, request: &Request, connection: &TcpStream) -> io::Result<()> {
    if !matches!(&*request.method, "GET" | "HEAD") {
        return refuse(request, connection, "405 Method Not Allowed", None);
    }
    let Some(path) = resolve(root, &request.target) else {
        let page = resolve(root, "/404.html");
        return refuse(request, connection, "404 Not Found", page);
    };
    if let Some(address) = with_slash(&path, &request.target) {
        let headers = format!("Location: {address}\r\nContent-Length: 0\r\n");
        return head(request, connection, "301 Moved Permanently", &headers);
    }
    let mut sent = best(&path, &request.encodings)?;
    let keep = if is_for_good(&path) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut headers = format!(
        "Cache-Control: {keep}\r\nETag: {}\r\nVary: Accept-Encoding\r\n",
        sent.tag
    );
    if request.tags.split(',').any(|tag| tag.trim() == sent.tag) {
        return head(request, connection, "304 Not Modified", &headers);
    }
    headers += &format!(
        "Content-Type: {}\r\nContent-Length: {}\r\n",
        media_type(&path),
        sent.length
    );
    if let Some(encoding) = sent.encoding {
        headers += &format!("Content-Encoding: {}\r\n", encoding.name());
    }
    head(request, connection, "200 OK", &headers)?;
    if request.method == "GET" {
        io::copy(&mut sent.file, &mut { connection })?;
    }
    Ok(())
}

fn refuse(
    request: &Request,
    mut connection: &TcpStream,
    status: &str,
    page: Option<PathBuf>,
) -> io::Result<()> {
    let (media_type, body) = match page {
        Some(page) => (media_type(&page), std::fs::read(page)?),
        None => ("text/plain; charset=utf-8", status.as_bytes().to_vec()),
    };
    let headers = format!(
        "Content-Type: {media_type}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n",
        body.len()
    );
    head(request, connection, status, &headers)?;
    if request.method == "HEAD" {
        return Ok(());
    }
    connection.write_all(&body)
}

fn head(
    request: &Request,
    mut connection: &TcpStream,
    status: &str,
    headers: &str,
) -> io::Result<()> {
    let then = if request.goes_on {
        "keep-alive"
    } else {
        "close"
    };
    let text = format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nConnection: {then}\r\n\r\n"
    );
    connection.write_all(text.as_bytes())
}

/// The file, or the smallest compressed file next to it in an encoding that the browser accepts.
fn best(path: &Path, encodings: &str) -> io::Result<Sent> {
    for encoding in Encoding::ALL {
        let mut name = OsString::from(path);
        name.push(encoding.ending());
        if accepts(encodings, encoding.name())
            && let Ok(file) = File::open(name)
        {
            return Sent::new(file, Some(encoding));
        }
    }
    Sent::new(File::open(path)?, None)
}

impl Sent {
    fn new(file: File, encoding: Option<Encoding>) -> io::Result<Self> {
        let metadata = file.metadata()?;
        let name = encoding.map_or("", Encoding::name);
        let tag = format!(
            "\"{:x}-{:x}{name}\"",
            nanoseconds(&metadata),
            metadata.len()
        );
        Ok(Self {
            file,
            length: metadata.len(),
            tag,
            encoding,
        })
    }
}

/// Time of the last change of a file, in nanoseconds since 1970; 0 if unknown.
fn nanoseconds(metadata: &Metadata) -> u128 {
    let time = metadata.modified().ok();
    let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos())
}

/// True if the header `Accept-Encoding` names an encoding, with a weight other than 0.
fn accepts(header: &str, name: &str) -> bool {
    header.split(',').any(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let refused = |weight: &str| {
            let value = weight.strip_prefix("q=");
            value.is_some_and(|value| value.parse() == Ok(0.0))
        };
        parts.next() == Some(name) && !parts.any(refused)
    })
}

/// True if a file's name ends with a hash of its contents, like `playground-68d160ce645da6c5_bg.wasm`: the contents of such a file never
/// change. A hash has sixteen hexadecimal digits, or fewer without its leading zeros.
fn is_for_good(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let stem = name.and_then(|name| name.split('.').next());
    let hash = stem.and_then(|stem| stem.trim_end_matches("_bg").rsplit_once('-'));
    hash.is_some_and(|(_, hash)| {
        (12..=16).contains(&hash.len()) && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
    })
}

/// The file that the target of a request names. The file is always inside of the root, whatever the target and symbolic links are. A folder
/// stands for its `index.html`.
fn resolve(root: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?;
    let decoded = percent_decoded(path.strip_prefix('/')?)?;
    let mut file = root.to_path_buf();
    for part in decoded.split('/').filter(|part| !part.is_empty()) {
        // Hidden files are not part of the site. This also excludes `..`.
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

/// The address with a slash for a folder that was requested without one, relative to the request. Links of a page are relative to its
/// folder. `None` if no slash is missing.
fn with_slash(file: &Path, target: &str) -> Option<String> {
    let page = file.file_name()?.to_str()?;
    let target = target.split('#').next()?;
    let (path, query) = target
        .find('?')
        .map_or((target, ""), |at| target.split_at(at));
    let last = path.rsplit('/').next().filter(|last| !last.is_empty())?;
    let is_folder = page == "index.html" && percent_decoded(last)? != page;
    is_folder.then(|| format!("./{last}/{query}"))
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

/// The media type for the ending of a file. Browsers refuse scripts, workers and streamed wasm of any other type.
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

    /// A site in a temporary folder, which is removed at the end.
    struct Site(PathBuf);

    impl Site {
        fn new(name: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("fletch-site-{name}-{}", std::process::id()));
            fs::create_dir_all(folder.join("dist/sub dir/α")).unwrap();
            fs::write(folder.join("secret"), "secret").unwrap();
            fs::write(folder.join("dist/.hidden"), "hidden").unwrap();
            fs::write(folder.join("dist/index.html"), "<!doctype html>").unwrap();
            fs::write(folder.join("dist/index.html.gz"), "gzip").unwrap();
            fs::write(folder.join("dist/app-0123456789abcdef_bg.wasm"), "wasm").unwrap();
            fs::write(folder.join("dist/app-0123456789abcdef_bg.wasm.br"), "br").unwrap();
            fs::write(folder.join("dist/app-0123456789abcdef_bg.wasm.gz"), "gz").unwrap();
            fs::write(folder.join("dist/sub dir/α/a.wasm"), [0, 1, 2, 255]).unwrap();
            fs::write(folder.join("dist/sub dir/α/index.html"), "α").unwrap();
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

    impl Server {
        /// Starts to answer requests in a thread of its own.
        fn in_background(self) -> Self {
            let running = Server {
                root: self.root.clone(),
                listener: self.listener.try_clone().unwrap(),
                address: self.address,
            };
            thread::spawn(move || running.run());
            self
        }
    }

    fn request(server: &Server, text: &str) -> Vec<u8> {
        let mut connection = TcpStream::connect(server.address).unwrap();
        connection.write_all(text.as_bytes()).unwrap();
        connection.shutdown(std::net::Shutdown::Write).unwrap();
        let mut reply = Vec::new();
        connection.read_to_end(&mut reply).unwrap();
        reply
    }

    #[test]
    fn answers_with_type_policy_and_bytes() {
        let site = Site::new("answers");
        let server = Server::bind(&site.root(), 0).unwrap();
        let server = server.in_background();

        let reply = request(
            &server,
            "GET /sub%20dir/%CE%B1/a.wasm HTTP/1.1\r\nHost: x\r\n\r\n",
        );
        let text = String::from_utf8_lossy(&reply);
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
        assert!(
            text.contains("\r\nContent-Type: application/wasm\r\nContent-Length: 4\r\n"),
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

    /// The value of a header of a reply.
    fn header<'a>(reply: &'a str, name: &str) -> Option<&'a str> {
        let mut lines = reply.split("\r\n\r\n").next()?.split("\r\n");
        lines.find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim()))
    }

    fn told(server: &Server, text: &str) -> String {
        String::from_utf8(request(server, text)).unwrap()
    }

    #[test]
    fn what_is_compressed_is_sent_to_who_takes_it() {
        let site = Site::new("encodings");
        let server = Server::bind(&site.root(), 0).unwrap().in_background();
        let get = |target: &str, encodings: &str| {
            told(
                &server,
                &format!("GET {target} HTTP/1.1\r\naccept-encoding: {encodings}\r\n\r\n"),
            )
        };
        let wasm = "/app-0123456789abcdef_bg.wasm";
        for (target, encodings, encoding, body) in [
            (wasm, "gzip, deflate, br;q=0.9", Some("br"), "br"),
            (wasm, "gzip", Some("gzip"), "gz"),
            (wasm, "gzip;q=0.5, br; q=0", Some("gzip"), "gz"),
            (wasm, "identity", None, "wasm"),
            ("/", "br, gzip", Some("gzip"), "gzip"),
        ] {
            let reply = get(target, encodings);
            assert_eq!(header(&reply, "Content-Encoding"), encoding, "{reply}");
            assert_eq!(header(&reply, "Vary"), Some("Accept-Encoding"));
            assert_eq!(
                header(&reply, "Content-Length"),
                Some(&*body.len().to_string())
            );
            assert!(reply.ends_with(&format!("\r\n\r\n{body}")), "{reply}");
        }
        let media_type =
            |target| header(&get(target, "br, gzip"), "Content-Type").map(str::to_owned);
        assert_eq!(media_type(wasm).as_deref(), Some("application/wasm"));
        assert_eq!(media_type("/").as_deref(), Some("text/html; charset=utf-8"));
    }

    #[test]
    fn a_browser_asks_again_only_for_what_may_have_changed() {
        let site = Site::new("tags");
        let server = Server::bind(&site.root(), 0).unwrap().in_background();
        let wasm = told(
            &server,
            "GET /app-0123456789abcdef_bg.wasm HTTP/1.1\r\n\r\n",
        );
        assert!(
            header(&wasm, "Cache-Control")
                .unwrap()
                .ends_with("immutable")
        );
        let page = told(&server, "GET / HTTP/1.1\r\n\r\n");
        assert_eq!(header(&page, "Cache-Control"), Some("no-cache"));
        let tag = header(&page, "ETag").unwrap();
        let again = |encodings: &str| {
            told(
                &server,
                &format!(
                    "GET / HTTP/1.1\r\nIf-None-Match: \"x\", {tag}\r\nAccept-Encoding: {encodings}\r\n\r\n"
                ),
            )
        };
        assert!(again("").starts_with("HTTP/1.1 304 Not Modified"));
        assert!(again("").ends_with("\r\n\r\n"));
        // The compressed file has another tag.
        assert!(again("gzip").starts_with("HTTP/1.1 200 OK"));
        fs::write(site.root().join("index.html"), "<!doctype html> 2").unwrap();
        assert!(again("").starts_with("HTTP/1.1 200 OK"));
    }

    #[test]
    fn a_folder_without_a_slash_is_at_its_address_with_one() {
        let site = Site::new("folders");
        let server = Server::bind(&site.root(), 0).unwrap().in_background();
        let get = |target: &str| told(&server, &format!("GET {target} HTTP/1.1\r\n\r\n"));
        for (target, address) in [
            ("/sub%20dir/%CE%B1", "./%CE%B1/"),
            ("//sub%20dir/%CE%B1?a=/b", "./%CE%B1/?a=/b"),
        ] {
            let reply = get(target);
            assert!(reply.starts_with("HTTP/1.1 301 "), "{reply}");
            assert_eq!(header(&reply, "Location"), Some(address));
            assert_eq!(header(&reply, "Content-Length"), Some("0"));
        }
        for target in [
            "/",
            "/?a",
            "/sub%20dir/%CE%B1/",
            "/sub%20dir/%CE%B1/index.html",
        ] {
            assert!(get(target).starts_with("HTTP/1.1 200 "), "{target}");
        }
        // A folder without an `index.html` has no address.
        assert!(get("/sub%20dir").starts_with("HTTP/1.1 404 "));
    }

    #[test]
    fn only_what_is_named_by_a_hash_is_for_good() {
        for (name, good) in [
            ("style-450ca1fb5ead4f0e.css", true),
            ("playground-4fdb57100e1e0477_bg.wasm", true),
            ("playground-c9928953bd1393d_bg.wasm", true),
            ("parts-facade.js", false),
            ("icon-512.png", false),
            ("jetbrains-mono-600.woff2", false),
            ("a-0123456789abcdeg.js", false),
        ] {
            assert_eq!(is_for_good(Path::new(name)), good, "{name}");
        }
    }

    #[test]
    fn a_connection_serves_many_requests() {
        let site = Site::new("alive");
        let server = Server::bind(&site.root(), 0).unwrap().in_background();
        let reply = told(
            &server,
            "GET / HTTP/1.1\r\n\r\nHEAD /none HTTP/1.1\r\n\r\nGET /sub HTTP/1.1\r\nConnection: close\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        );
        let answers: Vec<&str> = reply.matches("HTTP/1.1 ").collect();
        assert_eq!(answers.len(), 3, "{reply}");
        assert_eq!(reply.matches("Connection: keep-alive").count(), 2);
        assert_eq!(reply.matches("Connection: close").count(), 1);
        // The server must close the connection after a body, whose bytes it would take for a request.
        let post = "POST / HTTP/1.1\r\nContent-Length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n";
        assert_eq!(told(&server, post).matches("HTTP/1.1 ").count(), 1);
    }

    #[test]
    fn what_is_not_there_has_a_page() {
        let site = Site::new("absent");
        fs::write(site.root().join("404.html"), "nothing here").unwrap();
        let server = Server::bind(&site.root(), 0).unwrap().in_background();
        let reply = told(&server, "GET /none HTTP/1.1\r\n\r\n");
        assert!(reply.starts_with("HTTP/1.1 404") && reply.ends_with("nothing here"));
        assert_eq!(
            header(&reply, "Content-Type"),
            Some("text/html; charset=utf-8")
        );
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
