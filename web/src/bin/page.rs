//! Starts the page.

fn main() {
    fletch_web::failure::watch();
    yew::Renderer::<fletch_web::Shell>::new().render();
}
