/* Messages that move from queue to queue or arrive, up to sixteen at once: what core_pass_headers,
 * core_look_behind and core_tails_delivered do one by one, by gathering and scattering. For builds
 * with AVX-512 and words of 32 bits; the first two for routes that are in a table without forks.
 * Part of core_rules.h, included once for each build. */
enum { ROWS = FC_CORE_ROW };
typedef __m512i row_of_words;

FC_CORE_DEVICE bool core_has_rows(const core_plan *plan) {
    return plan->route && !plan->fork && plan->destination_shift && plan->ahead;
}

/* A mask's words, by lane. */
FC_CORE_DEVICE row_of_words row_of_lanes(mask m) {
#if FC_LANES == 16
    return (row_of_words)m;
#else
    return _mm512_castsi256_si512((__m256i)m);
#endif
}

/* Some bits of masks, as list_bits lists them. */
typedef struct bit_row {
    __mmask16 there; /* fewer than sixteen at the end of the list */
    row_of_words lane, bit;
    row_of_words channel; /* among those of all lanes of the router */
} bit_row;

FC_CORE_DEVICE bit_row row_of_bits(const core_plan *plan, const listed_bit *list, uint32_t left) {
    bit_row row;
    row.there = (__mmask16)(left < ROWS ? (1u << left) - 1 : 0xffff);
    const row_of_words words =
        _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)list));
    row.lane = _mm512_srli_epi32(words, 5);
    row.bit = _mm512_and_si512(words, _mm512_set1_epi32(31));
    row.channel = _mm512_add_epi32(
        _mm512_mullo_epi32(row.lane, _mm512_set1_epi32((int)(plan->in_ports * plan->channels))),
        row.bit);
    return row;
}

FC_CORE_DEVICE row_of_words row_gather(__mmask16 there, row_of_words index, const void *base) {
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), there, index, base, 4);
}

/* Where the queues of a channel begin and end: the bytes behind `asked`. */
FC_CORE_DEVICE row_of_words row_of_ends(const core_networks *x, __mmask16 there,
                                        row_of_words channel) {
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), there, channel,
                                       (const char *)x->channel + offsetof(fc_core_channel, first),
                                       8);
}
FC_CORE_DEVICE void row_set_ends(const core_networks *x, __mmask16 there, row_of_words channel,
                                 row_of_words ends) {
    _mm512_mask_i32scatter_epi32((char *)x->channel + offsetof(fc_core_channel, first), there,
                                 channel, ends, 8);
}

/* place + 1, or 0 behind the last. */
FC_CORE_DEVICE row_of_words row_next_place(const core_plan *plan, row_of_words place) {
    const row_of_words next = _mm512_add_epi32(place, _mm512_set1_epi32(1));
    const __mmask16 more = _mm512_cmpneq_epi32_mask(next, _mm512_set1_epi32((int)plan->places));
    return _mm512_maskz_mov_epi32(more, next);
}

/* Where a place of a queue is, from the front on, which is before them all. */
FC_CORE_DEVICE row_of_words row_of_places(const core_plan *plan, row_of_words channel,
                                          row_of_words place) {
    const uint32_t all = plan->routers * FC_LANES * plan->in_ports * plan->channels;
    const row_of_words number = _mm512_add_epi32(place, _mm512_set1_epi32(1));
    return _mm512_add_epi32(channel, _mm512_mullo_epi32(number, _mm512_set1_epi32((int)all)));
}

/* Words of the state, each with bits to be set: several may be in the same word. */
FC_CORE_DEVICE void row_set_bits(const core_networks *x, uint32_t count, row_of_words index,
                                 row_of_words bits) {
    uint32_t at[ROWS] __attribute__((aligned(64))), set[ROWS] __attribute__((aligned(64)));
    uint32_t *words = x->state;
    _mm512_store_si512(at, index);
    _mm512_store_si512(set, bits);
    for (uint32_t k = 0; k < ROWS && k < count; ++k)
        words[at[k]] |= set[k];
}

/* Outputs of words, and of their messages in the routers where they go. */
FC_CORE_DEVICE row_of_words row_of_outputs(const core_plan *plan, row_of_words words) {
    const uint32_t outputs = (1u << (plan->kind_shift - plan->output_shift)) - 1;
    return _mm512_and_si512(_mm512_srl_epi32(words, _mm_cvtsi32_si128((int)plan->output_shift)),
                            _mm512_set1_epi32((int)outputs));
}
FC_CORE_DEVICE row_of_words row_of_routes(const core_plan *plan, __mmask16 there,
                                          row_of_words words, row_of_words first_route) {
    const row_of_words destination =
        _mm512_srl_epi32(words, _mm_cvtsi32_si128((int)plan->destination_shift));
    const row_of_words bytes = _mm512_mask_i32gather_epi32(
        _mm512_setzero_si512(), there, _mm512_add_epi32(first_route, destination), plan->route, 1);
    return _mm512_and_si512(bytes, _mm512_set1_epi32(255));
}

/* list: the headers; known: input channels of the next routers that have a front. */
FC_CORE_DEVICE void core_pass_rows(const core_networks *x, const core_state *state, uint32_t r,
                                   const listed_bit *list, uint32_t count, const mask *known) {
    const core_plan *plan = x->plan;
    const row_of_words one = _mm512_set1_epi32(1);
    const row_of_words routers = _mm512_loadu_si512(plan->ahead[r].router);
    const row_of_words shifts = _mm512_loadu_si512(plan->ahead[r].shift);
    const uint32_t channels = FC_LANES * plan->in_ports * plan->channels;
    for (uint32_t k = 0; k < count; k += ROWS) {
        const bit_row row = row_of_bits(plan, list + k, count - k);
        const row_of_words words =
            row_gather(row.there, row.channel, x->front + (size_t)r * channels);
        const row_of_words output = row_of_outputs(plan, words);
        const row_of_words router = _mm512_permutexvar_epi32(output, routers);
        row_of_words at = _mm512_permutexvar_epi32(output, shifts);
        row_of_words others = one; /* whether there is one at the front */
        for (uint32_t p = 0; p < plan->held_planes; ++p) {
            const row_of_words plane =
                _mm512_permutexvar_epi32(row.lane, row_of_lanes(STATE(plan->at_held + p)));
            const row_of_words bit = _mm512_and_si512(_mm512_srlv_epi32(plane, row.bit), one);
            at = _mm512_add_epi32(at, _mm512_slli_epi32(bit, p));
        }
        for (uint32_t o = 0; o < plan->router[r].links_out; ++o) {
            const __mmask16 this_one = _mm512_cmpeq_epi32_mask(output, _mm512_set1_epi32((int)o));
            others = _mm512_mask_mov_epi32(
                others, this_one, _mm512_permutexvar_epi32(row.lane, row_of_lanes(known[o])));
        }
        const row_of_words bit = _mm512_sllv_epi32(one, at);
        const __mmask16 behind = _mm512_mask_test_epi32_mask(row.there, others, bit);
        const row_of_words channel =
            _mm512_add_epi32(_mm512_mullo_epi32(router, _mm512_set1_epi32((int)channels)),
                             _mm512_add_epi32(_mm512_sub_epi32(row.channel, row.bit), at));
        const row_of_words next =
            row_of_routes(plan, row.there, words,
                          _mm512_mullo_epi32(router, _mm512_set1_epi32((int)plan->nodes)));
        const row_of_words ends = row_of_ends(x, behind, channel);
        const row_of_words end =
            _mm512_and_si512(_mm512_srli_epi32(ends, 8), _mm512_set1_epi32(255));
        const row_of_words place =
            _mm512_mask_mov_epi32(channel, behind, row_of_places(plan, channel, end));
        const row_of_words new_ends =
            _mm512_or_si512(_mm512_and_si512(ends, _mm512_set1_epi32(255)),
                            _mm512_slli_epi32(row_next_place(plan, end), 8));
        const row_of_words moved = _mm512_sll_epi32(_mm512_xor_si512(output, next),
                                                    _mm_cvtsi32_si128((int)plan->output_shift));
        _mm512_mask_i32scatter_epi32(x->front, row.there, place, _mm512_xor_si512(words, moved), 4);
        row_set_ends(x, behind, channel, new_ends);
        const row_of_words want = _mm512_add_epi32(next, _mm512_set1_epi32((int)plan->at_want));
        const row_of_words index = _mm512_add_epi32(
            _mm512_mullo_epi32(router, _mm512_set1_epi32((int)(plan->size * FC_LANES))),
            _mm512_add_epi32(_mm512_mullo_epi32(want, _mm512_set1_epi32(FC_LANES)), row.lane));
        row_set_bits(x, count - k, index, _mm512_maskz_mov_epi32((__mmask16)~behind, bit));
    }
}

/* Bits, of which a lane may have several, in the order of lanes: all those of each lane. */
FC_CORE_DEVICE mask row_to_lanes(const bit_row *row, row_of_words bits) {
    const row_of_words none = _mm512_set1_epi32(-1);
#define ADD_THOSE_BEFORE(step)                                                                     \
    bits = _mm512_mask_or_epi32(                                                                   \
        bits,                                                                                      \
        _mm512_cmpeq_epi32_mask(row->lane, _mm512_alignr_epi32(row->lane, none, 16 - (step))),     \
        bits, _mm512_alignr_epi32(bits, none, 16 - (step)))
    ADD_THOSE_BEFORE(1);
    ADD_THOSE_BEFORE(2);
    ADD_THOSE_BEFORE(4);
    ADD_THOSE_BEFORE(8);
#undef ADD_THOSE_BEFORE
    const row_of_words lane = _mm512_mask_mov_epi32(none, row->there, row->lane);
    const __mmask16 last =
        _mm512_mask_cmpneq_epi32_mask(row->there, lane, _mm512_alignr_epi32(none, lane, 1));
    const uint32_t lanes = (uint32_t)_mm512_mask_reduce_or_epi32(
        last, _mm512_sllv_epi32(_mm512_set1_epi32(1), row->lane));
    const row_of_words all =
        _mm512_maskz_expand_epi32((__mmask16)lanes, _mm512_maskz_compress_epi32(last, bits));
#if FC_LANES == 16
    return (mask)all;
#else
    return (mask)_mm512_castsi512_si256(all);
#endif
}

/* The messages behind tails, as listed, come to the front. */
FC_CORE_DEVICE void core_look_behind_rows(const core_networks *x, core_state *state, uint32_t r,
                                          const listed_bit *list, uint32_t count) {
    const core_plan *plan = x->plan;
    const row_of_words byte = _mm512_set1_epi32(255), one = _mm512_set1_epi32(1);
    const uint32_t first_channel = r * FC_LANES * plan->in_ports * plan->channels;
    const uint32_t first_word = r * plan->size * FC_LANES;
    for (uint32_t k = 0; k < count; k += ROWS) {
        const bit_row row = row_of_bits(plan, list + k, count - k);
        const row_of_words channel =
            _mm512_add_epi32(row.channel, _mm512_set1_epi32((int)first_channel));
        const row_of_words ends = row_of_ends(x, row.there, channel);
        const row_of_words first = _mm512_and_si512(ends, byte);
        const row_of_words end = _mm512_and_si512(_mm512_srli_epi32(ends, 8), byte);
        const row_of_words words =
            row_gather(row.there, row_of_places(plan, channel, first), x->front);
        const row_of_words next = row_next_place(plan, first);
        const __mmask16 more = _mm512_cmpneq_epi32_mask(next, end);
        _mm512_mask_i32scatter_epi32(x->front, row.there, channel, words, 4);
        row_set_ends(x, row.there, channel,
                     _mm512_maskz_or_epi32(more, next, _mm512_slli_epi32(end, 8)));
        const row_of_words want =
            _mm512_add_epi32(row_of_outputs(plan, words), _mm512_set1_epi32((int)plan->at_want));
        const row_of_words index =
            _mm512_add_epi32(_mm512_mullo_epi32(want, _mm512_set1_epi32(FC_LANES)),
                             _mm512_add_epi32(row.lane, _mm512_set1_epi32((int)first_word)));
        const row_of_words bit = _mm512_sllv_epi32(one, row.bit);
        row_set_bits(x, count - k, index, bit);
        STATE(AT_QUEUED) &=
            ~row_to_lanes(&row, _mm512_maskz_mov_epi32((__mmask16)(row.there & ~more), bit));
    }
}

/* ---- arrivals ---- */

FC_CORE_DEVICE void row_add(uint64_t *sums, row_of_words values) {
    for (uint32_t half = 0; half < FC_LANES / 8; ++half) {
        const __m256i part =
            half ? _mm512_extracti64x4_epi64(values, 1) : _mm512_castsi512_si256(values);
        _mm512_storeu_si512(sums + half * 8, _mm512_add_epi64(_mm512_loadu_si512(sums + half * 8),
                                                              _mm512_cvtepu32_epi64(part)));
    }
}

/* What core_delivered adds to sums of a lane's own nodes. */
FC_CORE_DEVICE void core_count_arrival(const core_networks *x, uint32_t lane, uint32_t ends,
                                       uint32_t latency, uint32_t wait) {
    fc_core_node *node = NODE_SUMS(x, ends & 0xffff, lane);
    ++node->messages;
    node->latency += latency;
    node->source_wait += wait;
    if (ends >> 16 == x->plan->hot_node) {
        ++TALLY(lane, 0).messages_hot;
        TALLY(lane, 0).latency_hot += latency;
    }
    if (OF_LANE(x, lane)->histogram)
        ++OF_LANE(x, lane)->histogram[fc_histogram_bin(latency)];
}

/* Tails that have left for a node, at most one in a lane, and are there when the stretch ends. */
FC_CORE_DEVICE void core_arrive_rows(const core_networks *x, uint32_t r, mask tails,
                                     uint32_t time) {
    const core_plan *plan = x->plan;
    static const uint32_t lanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const row_of_words lane = _mm512_loadu_si512(lanes), one = _mm512_set1_epi32(1);
    const row_of_words bits = row_of_lanes(tails);
    const __mmask16 there =
        (__mmask16)(_mm512_test_epi32_mask(bits, bits) & ((1u << FC_LANES) - 1));
    const uint32_t inputs = plan->in_ports * plan->channels;
    const row_of_words channel =
        _mm512_add_epi32(_mm512_mullo_epi32(lane, _mm512_set1_epi32((int)inputs)),
                         _mm512_sub_epi32(_mm512_set1_epi32(31), _mm512_lzcnt_epi32(bits)));
    const row_of_words message =
        _mm512_and_si512(row_gather(there, channel, x->front + (size_t)r * FC_LANES * inputs),
                         _mm512_set1_epi32((int)((1u << plan->output_shift) - 1)));
    const row_of_words record = _mm512_slli_epi32(
        _mm512_add_epi32(_mm512_mullo_epi32(lane, _mm512_set1_epi32((int)plan->pool)), message), 2);
    const char *first = (const char *)x->record;
    const row_of_words born = row_gather(there, record, first + offsetof(fc_core_header, born));
    const row_of_words started =
        row_gather(there, record, first + offsetof(fc_core_header, started));
    const row_of_words ends = row_gather(there, record, first + offsetof(fc_core_header, source));
    const row_of_words size = row_gather(there, record, first + offsetof(fc_core_header, flits));
    const row_of_words flits = _mm512_and_si512(size, _mm512_set1_epi32(255));
    const row_of_words routers =
        _mm512_and_si512(_mm512_srli_epi32(size, 8), _mm512_set1_epi32(255));
    const row_of_words latency =
        _mm512_maskz_sub_epi32(there, _mm512_set1_epi32((int)(time + plan->eject_delay - 1)), born);
    const row_of_words wait = _mm512_sub_epi32(started, born);
    row_add(x->sums[FC_CORE_MESSAGES], _mm512_maskz_mov_epi32(there, one));
    row_add(x->sums[FC_CORE_LATENCY], latency);
    row_add(x->sums[FC_CORE_SOURCE_WAIT], wait);
    row_add(x->sums[FC_CORE_ROUTERS], routers);
    row_add(x->sums[FC_CORE_FLITS], flits);
    row_add(x->sums[FC_CORE_FLIT_ROUTERS], _mm512_mullo_epi32(flits, routers));
    uint32_t of_message[ROWS], of_ends[ROWS], of_latency[ROWS], of_wait[ROWS];
    _mm512_storeu_si512(of_message, message);
    _mm512_storeu_si512(of_ends, ends);
    _mm512_storeu_si512(of_latency, latency);
    _mm512_storeu_si512(of_wait, wait);
    for (uint32_t left = there; left; left &= left - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(left), number = of_message[l];
        if (x->observer)
            x->observer(x->observer_context, l, &RECORD(x, l, number), of_latency[l]);
        core_give_record(x, l, number);
        core_count_arrival(x, l, of_ends[l], of_latency[l], of_wait[l]);
    }
}
