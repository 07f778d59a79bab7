//! `fletch lsp` as an editor starts it: as a process, with length-prefixed messages on its standard input and output.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

struct Server {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start() -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fletch"));
        command.args(["lsp", "--base", "https://example.org/fletch/"]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Server { process, output }
    }

    fn write(&mut self, message: &str) {
        let input = self.process.stdin.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{message}", message.len()).unwrap();
        input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: &Json) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.write(&message.to_string());
    }

    /// The result of a request. Messages before it are skipped.
    fn ask(&mut self, id: i32, method: &str, params: &Json) -> Json {
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.write(&message.to_string());
        self.until(|message| message["id"] == id)["result"].clone()
    }

    fn until(&mut self, wanted: impl Fn(&Json) -> bool) -> Json {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                self.output.read_line(&mut line).unwrap();
                match line.trim_end().split_once(": ") {
                    Some(("Content-Length", number)) => length = number.parse().unwrap(),
                    Some(_) => {}
                    None => break,
                }
            }
            assert!(length > 0, "the server has gone");
            let mut bytes = vec![0; length];
            self.output.read_exact(&mut bytes).unwrap();
            let message: Json = serde_json::from_slice(&bytes).unwrap();
            if wanted(&message) {
                return message;
            }
        }
    }
}

#[test]
fn an_editor_starts_it_asks_and_ends_it() {
    let mut server = Server::start();
    let begun = server.ask(1, "initialize", &json!({ "capabilities": {} }));
    assert_eq!(begun["serverInfo"]["name"], "fletch");
    assert_eq!(begun["capabilities"]["positionEncoding"], "utf-16");
    server.tell("initialized", &json!({}));
    let text = "-- 🦀\ndim n = 2\nmain = ⌊zero[m]⌋\n";
    let document =
        json!({ "uri": "untitled:a", "languageId": "fletch", "version": 1, "text": text });
    server.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    let told = server.until(|message| message["method"] == "textDocument/publishDiagnostics");
    let found = &told["params"]["diagnostics"][0];
    assert_eq!(found["code"], "F0201");
    let page = "https://example.org/fletch/errors/F0201.html";
    assert_eq!(found["codeDescription"]["href"], page);
    let place = json!({ "textDocument": { "uri": "untitled:a" }, "position": { "line": 1, "character": 4 } });
    let hover = server.ask(2, "textDocument/hover", &place);
    assert_eq!(hover["contents"]["value"], "dim n = 2\ndimension");
    assert_eq!(server.ask(3, "shutdown", &Json::Null), Json::Null);
    server.tell("exit", &Json::Null);
    assert!(server.process.wait().unwrap().success());
}

#[test]
fn it_ends_with_the_editor_and_at_what_is_no_message() {
    for input in ["", "no message\r\n\r\n", "Content-Length: 3\r\n\r\n[[["] {
        let mut server = Server::start();
        let mut standard = server.process.stdin.take().unwrap();
        standard.write_all(input.as_bytes()).unwrap();
        drop(standard);
        assert_eq!(server.process.wait().unwrap().code(), Some(1), "{input:?}");
    }
}
