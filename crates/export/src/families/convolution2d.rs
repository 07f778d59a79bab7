//! Convolution of images of c channels with filters d × c × kh × kw, and its derivatives with respect to image and filter.

use super::{Call, Helpers};
use crate::code::Code;

pub(crate) fn written(call: &Call<'_>, helpers: &mut Helpers) -> Option<Code> {
    let ([u, v], [h, w, kh, kw, c, d]) = (call.arguments, call.indices) else {
        return None;
    };
    let (image, filter, output) = (
        [*c, *h, *w],
        [*d, *c, *kh, *kw],
        [*d, h - kh + 1, w - kw + 1],
    );
    let (name, left, right, result): (_, &[usize], &[usize], &[usize]) = match call.name {
        "conv2d" => ("conv2d", &image, &filter, &output),
        "conv2d_image" => ("conv2d_image", &filter, &output, &image),
        "conv2d_filter" => ("conv2d_filter", &image, &output, &filter),
        _ => return None,
    };
    helpers.insert(name);
    let (u, v) = (u.shaped(left), v.shaped(right));
    Some(Code::atom(
        format!("{name}({}, {})", u.text(), v.text()),
        result,
    ))
}
