//! Pooling over windows of m × m entries, those at the ends possibly smaller. Of equal maxima in a window the first counts, row by row.

use super::{Call, Helpers};
use crate::code::Code;

pub(crate) fn written(call: &Call<'_>, helpers: &mut Helpers) -> Option<Code> {
    let [h, w, m, c] = call.indices else {
        return None;
    };
    let (image, pooled) = ([*c, *h, *w], [*c, h.div_ceil(*m), w.div_ceil(*m)]);
    let (name, text, result) = match (call.name, call.arguments) {
        ("maxpool2d", [x]) => (
            "maxpool2d",
            format!("{}, {m}", x.shaped(&image).text()),
            pooled,
        ),
        ("maxpool2d_unpool", [x, y]) => {
            let (x, y) = (x.shaped(&image), y.shaped(&pooled));
            let text = format!("{}, {}, {m}", x.text(), y.text());
            ("maxpool2d_unpool", text, image)
        }
        ("maxpool2d_pick", [x, z]) => {
            let (x, z) = (x.shaped(&image), z.shaped(&image));
            let text = format!("{}, {}, {m}", x.text(), z.text());
            ("maxpool2d_pick", text, pooled)
        }
        ("avgpool2d", [x]) => (
            "avgpool2d",
            format!("{}, {m}", x.shaped(&image).text()),
            pooled,
        ),
        ("avgpool2d_spread", [y]) => {
            let text = format!("{}, {h}, {w}, {m}", y.shaped(&pooled).text());
            ("avgpool2d_spread", text, image)
        }
        _ => return None,
    };
    helpers.insert(name);
    Some(Code::atom(format!("{name}({text})"), &result))
}
