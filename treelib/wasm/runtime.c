/* What numba's compiled functions ask of a runtime, for WebAssembly: memory with reference counts.

   One instance of a module serves one search and is thrown away, so a block that is not given back costs
   nothing for long. Small blocks come in powers of two; large ones in whole pages, found again by first fit.
   The head of MemInfo is numba's own layout, which its code reads (numba/core/runtime/nrt.c). */
typedef unsigned long size_t;
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned int u32;

typedef struct MemInfo {
    u64 references;
    void *destructor, *destructor_info;
    void *data;
    u64 size;
} MemInfo;

typedef struct Block { /* HEAD bytes before what is handed out */
    u64 size;          /* with the head */
    struct Block *next;
} Block;

#define HEAD 64ul
#define PAGE 65536ul
#define LARGE (1ull << 20)
#define MOST 0xFFF00000ull /* of 4 GiB */

extern unsigned char __heap_base;
static u64 top = 0, in_use = 0;
static Block *small[24], *large = 0;

void *tl_alloc(u64 size) {
    u64 need = size + HEAD, order = 7;
    Block **place;
    if (size > MOST) return 0;
    if (need > LARGE) {
        need = (need + PAGE - 1) & ~(u64)(PAGE - 1);
        for (place = &large; *place; place = &(*place)->next)
            if ((*place)->size >= need && (*place)->size <= 2 * need) break;
    } else {
        while ((1ull << order) < need) order++;
        need = 1ull << order;
        place = &small[order];
    }
    Block *block = *place;
    if (block)
        *place = block->next;
    else {
        if (!top) top = ((u64)(size_t)&__heap_base + HEAD - 1) & ~(u64)(HEAD - 1);
        u64 end = top + need, have = (u64)__builtin_wasm_memory_size(0) * PAGE;
        if (end > MOST) return 0;
        if (end > have && __builtin_wasm_memory_grow(0, (size_t)((end - have + PAGE - 1) / PAGE)) == (size_t)-1) return 0;
        block = (Block *)(size_t)top;
        block->size = need;
        top = end;
    }
    in_use += block->size;
    return (char *)block + HEAD;
}

void tl_free(void *data) {
    if (!data) return;
    Block *block = (Block *)((char *)data - HEAD);
    Block **place = &large;
    in_use -= block->size;
    if (block->size <= LARGE) {
        u64 order = 7;
        while ((1ull << order) < block->size) order++;
        place = &small[order];
    }
    block->next = *place;
    *place = block;
}

u64 tl_in_use(void) { return in_use; }

/* the data follows the head, both on multiples of 64 bytes */
static MemInfo *make(u64 size) {
    MemInfo *info = tl_alloc(size + 64);
    if (!info) return 0;
    info->references = 1;
    info->destructor = info->destructor_info = 0;
    info->data = (char *)info + 64;
    info->size = size;
    return info;
}

void *NRT_MemInfo_alloc(u64 size) { return make(size); }
void *NRT_MemInfo_alloc_safe(u64 size) { return make(size); }
void *NRT_MemInfo_alloc_aligned(u64 size, u32 align) { return make(size); }
void *NRT_MemInfo_alloc_safe_aligned(u64 size, u32 align) { return make(size); }
/* destructors are not called: WebAssembly checks their types, which differ; what they free ends with the instance */
void *NRT_MemInfo_alloc_dtor(u64 size, void *destructor) { return make(size); }
void *NRT_MemInfo_alloc_dtor_safe(u64 size, void *destructor) { return make(size); }
void *NRT_MemInfo_data_fast(MemInfo *info) { return info->data; }
void NRT_MemInfo_call_dtor(MemInfo *info) {
    if ((char *)info->data != (char *)info + 64) tl_free(info->data);
    tl_free(info);
}
void NRT_incref(MemInfo *info) { if (info) info->references++; }
void NRT_decref(MemInfo *info) { if (info && --info->references == 0) NRT_MemInfo_call_dtor(info); }
void *NRT_Allocate(u64 size) { return tl_alloc(size); }
void NRT_Free(void *data) { tl_free(data); }

/* lists: their items stand apart from the head, so that they can move */
void *NRT_MemInfo_new_varsize(u64 size) {
    MemInfo *info = make(0);
    if (!info) return 0;
    info->data = tl_alloc(size);
    if (!info->data) { tl_free(info); return 0; }
    info->size = size;
    return info;
}
void *NRT_MemInfo_new_varsize_dtor(u64 size, void *destructor) { return NRT_MemInfo_new_varsize(size); }
void NRT_MemInfo_varsize_free(MemInfo *info, void *data) {
    tl_free(data);
    if (info->data == data) info->data = 0;
}
void *NRT_MemInfo_varsize_alloc(MemInfo *info, u64 size) { info->size = size; return info->data = tl_alloc(size); }
void *NRT_MemInfo_varsize_realloc(MemInfo *info, u64 size) {
    char *from = info->data, *to = tl_alloc(size);
    if (!to) return 0;
    __builtin_memcpy(to, from, (size_t)(info->size < size ? info->size : size));
    tl_free(from);
    info->size = size;
    return info->data = to;
}

/* a new shape without a copy, of arrays in C order only; 0 makes numba raise */
int numba_attempt_nocopy_reshape(u64 n, const i64 *shape, const i64 *strides, u64 n_new, const i64 *new_shape,
                                 i64 *new_strides, i64 itemsize, int in_fortran_order) {
    i64 step = itemsize;
    if (in_fortran_order) return 0;
    for (u64 d = n; d-- > 0;) {
        if (shape[d] != 1 && strides[d] != step) return 0;
        step *= shape[d];
    }
    step = itemsize;
    for (u64 d = n_new; d-- > 0;) {
        new_strides[d] = step;
        step *= new_shape[d];
    }
    return 1;
}

/* the product of two 128-bit numbers, by which numba sees whether the size of an array overflows */
typedef unsigned __int128 u128;
u128 __multi3(u128 a, u128 b) {
    u64 al = (u64)a, bl = (u64)b, ah = (u64)(a >> 64), bh = (u64)(b >> 64);
    u64 a0 = (u32)al, a1 = al >> 32, b0 = (u32)bl, b1 = bl >> 32;
    u64 low = a0 * b0, m1 = a1 * b0 + (low >> 32), m2 = a0 * b1 + (u32)m1;
    u64 high = a1 * b1 + (m1 >> 32) + (m2 >> 32) + al * bh + ah * bl;
    return ((u128)high << 64) | ((m2 << 32) | (u32)low);
}

/* asked for by texts of errors only, which count the digits of a whole number by it */
double log10(double value) {
    double digits = 0;
    for (; value >= 10; value /= 10) digits += 1;
    return digits;
}

/* named by code that runs under Python only */
void *PyExc_RuntimeError;
void PyErr_SetString(void *kind, const char *text) { __builtin_trap(); }
