//! Canvas with a dot for each number: a surface over two inputs, a unit, or a layer at all samples.

use crate::diagram::view::context;
use std::rc::Rc;
use wasm_bindgen::Clamped;
use web_sys::{HtmlCanvasElement, ImageData};
use yew::{Component, Context, Html, NodeRef, Properties, html};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct DotsProps {
    /// Red, green, blue and opacity of each dot, row by row from the top.
    pub dots: Rc<Vec<u8>>,
    pub width: u32,
    pub height: u32,
}

/// The canvas, by its node.
pub(super) struct Dots(NodeRef);

impl Component for Dots {
    type Message = ();
    type Properties = DotsProps;

    fn create(_: &Context<Self>) -> Self {
        Dots(NodeRef::default())
    }

    fn view(&self, own: &Context<Self>) -> Html {
        let DotsProps { width, height, .. } = own.props();
        html! { <canvas ref={&self.0} width={width.to_string()} height={height.to_string()} aria-hidden="true" /> }
    }

    fn rendered(&mut self, own: &Context<Self>, _: bool) {
        let DotsProps {
            dots,
            width,
            height,
        } = own.props();
        let canvas = self.0.cast::<HtmlCanvasElement>();
        let Some(canvas) = canvas.and_then(|canvas| context(&canvas)) else {
            return;
        };
        if let Ok(image) =
            ImageData::new_with_u8_clamped_array_and_sh(Clamped(dots), *width, *height)
        {
            // The browser refuses only an image without size, and this image has one.
            let _ = canvas.put_image_data(&image, 0.0, 0.0);
        }
    }
}
