// Training steps over vectors of the machine: 128 bits in wasm with SIMD and on x86-64, one number elsewhere.
// `tests/benches/engine.rs` includes this file too.

#[cfg(target_feature = "simd128")]
mod v32 {
    use core::arch::wasm32::*;
    pub type S = f32; pub type V = v128; pub const LANES: usize = 4;
    #[inline(always)] pub unsafe fn load(p: *const S) -> V { v128_load(p as *const v128) }
    #[inline(always)] pub unsafe fn store(p: *mut S, v: V) { v128_store(p as *mut v128, v) }
    #[inline(always)] pub fn splat(s: S) -> V { f32x4_splat(s) }
    #[inline(always)] pub fn add(a: V, b: V) -> V { f32x4_add(a, b) }
    #[inline(always)] pub fn sub(a: V, b: V) -> V { f32x4_sub(a, b) }
    #[inline(always)] pub fn mul(a: V, b: V) -> V { f32x4_mul(a, b) }
    #[inline(always)] pub fn div(a: V, b: V) -> V { f32x4_div(a, b) }
    #[cfg(target_feature = "relaxed-simd")]
    #[inline(always)] pub fn madd(a: V, b: V, c: V) -> V { f32x4_relaxed_madd(a, b, c) }
    #[cfg(not(target_feature = "relaxed-simd"))]
    #[inline(always)] pub fn madd(a: V, b: V, c: V) -> V { f32x4_add(f32x4_mul(a, b), c) }
    #[inline(always)] pub fn gt(a: V, b: V) -> V { f32x4_gt(a, b) }
    #[inline(always)] pub fn sel(m: V, a: V, b: V) -> V { v128_bitselect(a, b, m) }
    #[inline(always)] pub fn hsum(a: V) -> S {
        f32x4_extract_lane::<0>(a) + f32x4_extract_lane::<1>(a) + f32x4_extract_lane::<2>(a) + f32x4_extract_lane::<3>(a)
    }
    #[inline(always)] pub fn exp(x: V) -> V {
        let x = f32x4_pmin(splat(88.0), f32x4_pmax(splat(-87.0), x));
        let magic = splat(12582912.0);
        let t = f32x4_add(mul(x, splat(core::f32::consts::LOG2_E)), magic);
        let n = sub(t, magic);
        let r = sub(sub(x, mul(n, splat(0.693359375))), mul(n, splat(-2.12194440e-4)));
        let mut p = splat(1.0 / 720.0);
        p = madd(p, r, splat(1.0 / 120.0)); p = madd(p, r, splat(1.0 / 24.0)); p = madd(p, r, splat(1.0 / 6.0));
        p = madd(p, r, splat(0.5)); p = madd(p, r, splat(1.0)); p = madd(p, r, splat(1.0));
        let s = i32x4_shl(i32x4_add(t, i32x4_splat(127)), 23);
        mul(p, s)
    }
}
#[cfg(target_feature = "simd128")]
mod v64 {
    use core::arch::wasm32::*;
    pub type S = f64; pub type V = v128; pub const LANES: usize = 2;
    #[inline(always)] pub unsafe fn load(p: *const S) -> V { v128_load(p as *const v128) }
    #[inline(always)] pub unsafe fn store(p: *mut S, v: V) { v128_store(p as *mut v128, v) }
    #[inline(always)] pub fn splat(s: S) -> V { f64x2_splat(s) }
    #[inline(always)] pub fn add(a: V, b: V) -> V { f64x2_add(a, b) }
    #[inline(always)] pub fn sub(a: V, b: V) -> V { f64x2_sub(a, b) }
    #[inline(always)] pub fn mul(a: V, b: V) -> V { f64x2_mul(a, b) }
    #[inline(always)] pub fn div(a: V, b: V) -> V { f64x2_div(a, b) }
    #[cfg(target_feature = "relaxed-simd")]
    #[inline(always)] pub fn madd(a: V, b: V, c: V) -> V { f64x2_relaxed_madd(a, b, c) }
    #[cfg(not(target_feature = "relaxed-simd"))]
    #[inline(always)] pub fn madd(a: V, b: V, c: V) -> V { f64x2_add(f64x2_mul(a, b), c) }
    #[inline(always)] pub fn gt(a: V, b: V) -> V { f64x2_gt(a, b) }
    #[inline(always)] pub fn sel(m: V, a: V, b: V) -> V { v128_bitselect(a, b, m) }
    #[inline(always)] pub fn hsum(a: V) -> S { f64x2_extract_lane::<0>(a) + f64x2_extract_lane::<1>(a) }
    #[inline(always)] pub fn exp(x: V) -> V {
        let x = f64x2_pmin(splat(708.0), f64x2_pmax(splat(-708.0), x));
        let magic = splat(6755399441055744.0);
        let t = add(mul(x, splat(core::f64::consts::LOG2_E)), magic);
        let n = sub(t, magic);
        let r = sub(sub(x, mul(n, splat(0.693147180369123816490))), mul(n, splat(1.90821492927058770002e-10)));
        let mut p = splat(1.0 / 479001600.0);
        p = madd(p, r, splat(1.0 / 39916800.0)); p = madd(p, r, splat(1.0 / 3628800.0)); p = madd(p, r, splat(1.0 / 362880.0));
        p = madd(p, r, splat(1.0 / 40320.0)); p = madd(p, r, splat(1.0 / 5040.0)); p = madd(p, r, splat(1.0 / 720.0));
        p = madd(p, r, splat(1.0 / 120.0)); p = madd(p, r, splat(1.0 / 24.0)); p = madd(p, r, splat(1.0 / 6.0));
        p = madd(p, r, splat(0.5)); p = madd(p, r, splat(1.0)); p = madd(p, r, splat(1.0));
        let s = i64x2_shl(i64x2_add(t, i64x2_splat(1023)), 52);
        mul(p, s)
    }
}
#[cfg(target_arch = "x86_64")]
mod v32 {
    use core::arch::x86_64::*;
    pub type S = f32; pub type V = __m128; pub const LANES: usize = 4;
    #[inline(always)] pub unsafe fn load(p: *const S) -> V { _mm_loadu_ps(p) }
    #[inline(always)] pub unsafe fn store(p: *mut S, v: V) { _mm_storeu_ps(p, v) }
    #[inline(always)] pub fn splat(s: S) -> V { unsafe { _mm_set1_ps(s) } }
    #[inline(always)] pub fn add(a: V, b: V) -> V { unsafe { _mm_add_ps(a, b) } }
    #[inline(always)] pub fn sub(a: V, b: V) -> V { unsafe { _mm_sub_ps(a, b) } }
    #[inline(always)] pub fn mul(a: V, b: V) -> V { unsafe { _mm_mul_ps(a, b) } }
    #[inline(always)] pub fn div(a: V, b: V) -> V { unsafe { _mm_div_ps(a, b) } }
    #[inline(always)] pub fn madd(a: V, b: V, c: V) -> V { add(mul(a, b), c) }
    #[inline(always)] pub fn gt(a: V, b: V) -> V { unsafe { _mm_cmpgt_ps(a, b) } }
    #[inline(always)] pub fn sel(m: V, a: V, b: V) -> V { unsafe { _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b)) } }
    #[inline(always)] pub fn hsum(a: V) -> S { let l: [S; LANES] = unsafe { core::mem::transmute(a) }; l[0] + l[1] + l[2] + l[3] }
    #[inline(always)] pub fn exp(x: V) -> V {
        let x = unsafe { _mm_min_ps(splat(88.0), _mm_max_ps(splat(-87.0), x)) };
        let magic = splat(12582912.0);
        let t = add(mul(x, splat(core::f32::consts::LOG2_E)), magic);
        let n = sub(t, magic);
        let r = sub(sub(x, mul(n, splat(0.693359375))), mul(n, splat(-2.12194440e-4)));
        let mut p = splat(1.0 / 720.0);
        for c in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] { p = madd(p, r, splat(c)); }
        mul(p, unsafe { _mm_castsi128_ps(_mm_slli_epi32::<23>(_mm_add_epi32(_mm_castps_si128(t), _mm_set1_epi32(127)))) })
    }
}
#[cfg(target_arch = "x86_64")]
mod v64 {
    use core::arch::x86_64::*;
    pub type S = f64; pub type V = __m128d; pub const LANES: usize = 2;
    #[inline(always)] pub unsafe fn load(p: *const S) -> V { _mm_loadu_pd(p) }
    #[inline(always)] pub unsafe fn store(p: *mut S, v: V) { _mm_storeu_pd(p, v) }
    #[inline(always)] pub fn splat(s: S) -> V { unsafe { _mm_set1_pd(s) } }
    #[inline(always)] pub fn add(a: V, b: V) -> V { unsafe { _mm_add_pd(a, b) } }
    #[inline(always)] pub fn sub(a: V, b: V) -> V { unsafe { _mm_sub_pd(a, b) } }
    #[inline(always)] pub fn mul(a: V, b: V) -> V { unsafe { _mm_mul_pd(a, b) } }
    #[inline(always)] pub fn div(a: V, b: V) -> V { unsafe { _mm_div_pd(a, b) } }
    #[inline(always)] pub fn madd(a: V, b: V, c: V) -> V { add(mul(a, b), c) }
    #[inline(always)] pub fn gt(a: V, b: V) -> V { unsafe { _mm_cmpgt_pd(a, b) } }
    #[inline(always)] pub fn sel(m: V, a: V, b: V) -> V { unsafe { _mm_or_pd(_mm_and_pd(m, a), _mm_andnot_pd(m, b)) } }
    #[inline(always)] pub fn hsum(a: V) -> S { let l: [S; LANES] = unsafe { core::mem::transmute(a) }; l[0] + l[1] }
    #[inline(always)] pub fn exp(x: V) -> V {
        let x = unsafe { _mm_min_pd(splat(708.0), _mm_max_pd(splat(-708.0), x)) };
        let magic = splat(6755399441055744.0);
        let t = add(mul(x, splat(core::f64::consts::LOG2_E)), magic);
        let n = sub(t, magic);
        let r = sub(sub(x, mul(n, splat(0.693147180369123816490))), mul(n, splat(1.90821492927058770002e-10)));
        let mut p = splat(1.0 / 479001600.0);
        for c in [1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] { p = madd(p, r, splat(c)); }
        mul(p, unsafe { _mm_castsi128_pd(_mm_slli_epi64::<52>(_mm_add_epi64(_mm_castpd_si128(t), _mm_set1_epi64x(1023)))) })
    }
}
// Scalar fallback: vectors of one lane.
#[cfg(not(any(target_feature = "simd128", target_arch = "x86_64")))]
macro_rules! scalar_mod { ($m:ident, $s:ty, $i:ty, $magic:expr, $l2e:expr, $bias:expr, $sh:expr, $lo:expr, $hi:expr, $c:expr, $d1:expr, $d2:expr) => { mod $m {
    pub type S = $s; pub type V = $s; pub const LANES: usize = 1;
    #[inline(always)] pub unsafe fn load(p: *const S) -> V { *p }
    #[inline(always)] pub unsafe fn store(p: *mut S, v: V) { *p = v }
    #[inline(always)] pub fn splat(s: S) -> V { s }
    #[inline(always)] pub fn add(a: V, b: V) -> V { a + b }
    #[inline(always)] pub fn sub(a: V, b: V) -> V { a - b }
    #[inline(always)] pub fn mul(a: V, b: V) -> V { a * b }
    #[inline(always)] pub fn div(a: V, b: V) -> V { a / b }
    #[inline(always)] pub fn madd(a: V, b: V, c: V) -> V { a * b + c }
    #[inline(always)] pub fn gt(a: V, b: V) -> bool { a > b }
    #[inline(always)] pub fn sel(m: bool, a: V, b: V) -> V { if m { a } else { b } }
    #[inline(always)] pub fn hsum(a: V) -> S { a }
    #[inline(always)] pub fn exp(x: V) -> V {
        let x = if x > $hi { $hi } else if x < $lo { $lo } else { x };
        let t = x * $l2e + $magic; let n = t - $magic; let r = (x - n * $d1) - n * $d2;
        let c = $c; let mut p = c[0]; for k in 1..c.len() { p = p * r + c[k]; }
        p * <$s>::from_bits((t.to_bits().wrapping_add($bias)) << $sh)
    }
} } }
#[cfg(not(any(target_feature = "simd128", target_arch = "x86_64")))]
scalar_mod!(v32, f32, u32, 12582912.0f32, core::f32::consts::LOG2_E, 127, 23, -87.0, 88.0,
  [1.0f32/720.0,1.0/120.0,1.0/24.0,1.0/6.0,0.5,1.0,1.0], 0.693359375f32, -2.12194440e-4f32);
#[cfg(not(any(target_feature = "simd128", target_arch = "x86_64")))]
scalar_mod!(v64, f64, u64, 6755399441055744.0f64, core::f64::consts::LOG2_E, 1023, 52, -708.0, 708.0,
  [1.0f64/479001600.0,1.0/39916800.0,1.0/3628800.0,1.0/362880.0,1.0/40320.0,1.0/5040.0,1.0/720.0,1.0/120.0,1.0/24.0,1.0/6.0,0.5,1.0,1.0], 0.693147180369123816490f64, 1.90821492927058770002e-10f64);

pub mod f32n { use super::v32::*; const TILE: (usize, usize) = (4, 2); include!("net.rs"); }
pub mod f64n { use super::v64::*; const TILE: (usize, usize) = if LANES == 1 { (4, 2) } else { (2, 4) }; include!("net.rs"); }
