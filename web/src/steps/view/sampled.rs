//! Note that the shown steps belong to one training sample, with a button back to the steps of `main`.

use crate::controls::raised;
use crate::model::{Model, Tab};
use crate::update::Msg;
use crate::view::prose::prose;
use yew::{Callback, Html, html};

/// The bar with the note; empty while the steps are those of `main`.
pub(crate) fn bar(model: &Model, dispatch: &Callback<Msg>) -> Html {
    // The comparison and the training do not depend on which run is stepped through.
    let about_it = !matches!(model.tab, Tab::Compare | Tab::Train);
    let Some(sampled) = model.sampled.as_ref().filter(|_| about_it) else {
        return Html::default();
    };
    let text = format!(
        "This is the run of sample {sample} of {data}, not of `main`, from the heap that the training has at epoch {epoch}.",
        sample = sampled.sample.step + 1,
        data = sampled.data,
        epoch = sampled.epoch
    );
    html! {
        <div class="run-bar sampled" role="status">
            <i aria-hidden="true"></i>
            <p>{ prose(&text) }</p>
            { raised(prose("Back to `main`")).on_click(dispatch, Msg::Main) }
        </div>
    }
}
