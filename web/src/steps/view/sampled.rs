//! That the steps are those of a sample of the training, and the way back.

use crate::controls::raised;
use crate::model::Model;
use crate::update::Msg;
use yew::{Callback, Html, html};

/// The bar that says so; nothing while the steps are those of `main`.
pub(crate) fn bar(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(sampled) = &model.sampled else {
        return Html::default();
    };
    let text = format!(
        "These are the steps of sample {sample} of {data}, from the trained heap, not those of main.",
        sample = sampled.sample.step + 1,
        data = sampled.data
    );
    html! {
        <div class="run-bar sampled" role="status">
            <i aria-hidden="true"></i>
            <p>{ text }</p>
            { raised("Back to main").on_click(dispatch, Msg::Main) }
        </div>
    }
}
