//! Convolution of images of c channels with filters d × c × m, and its derivatives with respect to image and filter.

use super::{Call, Helpers};
use crate::code::Code;

pub(crate) fn written(call: &Call<'_>, helpers: &mut Helpers) -> Option<Code> {
    let ([u, v], [n, m, c, d]) = (call.arguments, call.indices) else {
        return None;
    };
    let (name, result) = match call.name {
        "conv1d" => ("conv1d", vec![*d, n - m + 1]),
        "conv1d_image" => ("conv1d_image", vec![*c, *n]),
        "conv1d_filter" => ("conv1d_filter", vec![*d, *c, *m]),
        _ => return None,
    };
    let (image, filter, output) = (&[*c, *n][..], &[*d, *c, *m][..], &[*d, n - m + 1][..]);
    let (u, v) = match name {
        "conv1d" => (u.shaped(image), v.shaped(filter)),
        "conv1d_image" => (u.shaped(filter), v.shaped(output)),
        _ => (u.shaped(image), v.shaped(output)),
    };
    helpers.insert(name);
    Some(Code::atom(
        format!("{name}({}, {})", u.text(), v.text()),
        &result,
    ))
}
