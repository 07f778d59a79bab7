//! Pooling over windows of m entries, the last window possibly shorter. Of equal maxima in a window the first counts.

use super::{Call, Helpers};
use crate::code::Code;

pub(crate) fn written(call: &Call<'_>, helpers: &mut Helpers) -> Option<Code> {
    let ([n, m, c], [x, ..]) = (call.indices, call.arguments) else {
        return None;
    };
    let (image, pooled) = (&[*c, *n][..], &[*c, n.div_ceil(*m)][..]);
    let second = call.arguments.get(1);
    let (name, text, result) = match (call.name, second) {
        ("maxpool1d", None) => (
            "maxpool1d",
            format!("{}, {m}", x.shaped(image).text()),
            pooled,
        ),
        ("maxpool1d_unpool", Some(y)) => {
            let (x, y) = (x.shaped(image), y.shaped(pooled));
            (
                "maxpool1d_unpool",
                format!("{}, {}, {m}", x.text(), y.text()),
                image,
            )
        }
        ("maxpool1d_pick", Some(z)) => {
            let (x, z) = (x.shaped(image), z.shaped(image));
            (
                "maxpool1d_pick",
                format!("{}, {}, {m}", x.text(), z.text()),
                pooled,
            )
        }
        ("avgpool1d", None) => (
            "avgpool1d",
            format!("{}, {m}", x.shaped(image).text()),
            pooled,
        ),
        ("avgpool1d_spread", None) => {
            let y = x.shaped(pooled);
            ("avgpool1d_spread", format!("{}, {n}, {m}", y.text()), image)
        }
        _ => return None,
    };
    helpers.insert(name);
    Some(Code::atom(format!("{name}({text})"), result))
}
