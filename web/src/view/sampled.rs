//! That the steps are those of a sample of the training, and the way back.

use crate::controls::raised;
use crate::model::Model;
use crate::texts;
use crate::update::{FiguresMsg, Msg};
use yew::{Callback, Html, html};

/// The bar that says so; nothing while the steps are those of `main`.
pub(super) fn bar(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(sampled) = &model.figures.sampled else {
        return Html::default();
    };
    let text = texts::check::sampled(sampled.sample.step + 1, &sampled.data);
    html! {
        <div class="run-bar sampled" role="status">
            <i aria-hidden="true"></i>
            <p>{ text }</p>
            { raised(texts::check::BACK_TO_MAIN).on_click(dispatch, Msg::Figures(FiguresMsg::Main)) }
        </div>
    }
}
