/* Every key of a BookSim 2.0 configuration, its default there, and what becomes of it here. A file
 * relies on the defaults, so they are part of the translation. */
#include "importers/booksim_file.h"

#define BECOMES FC_BOOKSIM_TRANSLATED
#define NO_EFFECT FC_BOOKSIM_NO_EFFECT
#define DIFFERS FC_BOOKSIM_DIFFERS
#define REFUSED FC_BOOKSIM_REFUSED

static const char printing[] = "only what is printed";
static const char stopping[] =
    "a run here stops at simulation.precision, with warm-up and saturation found by itself";
static const char batch_only[] = "only batch simulations read it";
static const char speculating[] = "only a speculative router reads it";
static const char power_only[] = "there is no power model here; latency and throughput do not "
                                 "depend on it";
static const char shared_only[] = "only shared buffers read it";
static const char unread[] = "BookSim's own topologies and routers do not read it";
static const char with_requests[] = "traffic.requests, where use_read_write is 1";
static const char subnet[] = "there is one network here, not several side by side";

const fc_booksim_key fc_booksim_keys[] = {
    /* network */
    {"topology", "torus", BECOMES, "network.topology"},
    {"k", "8", BECOMES, "network.radix or network.arity"},
    {"n", "2", BECOMES, "network.radix or network.levels"},
    {"c", "1", BECOMES, "network.concentration (cmesh, flatfly)"},
    {"routing_function", "none", BECOMES, "network.routing"},
    {"use_noc_latency", "1", BECOMES,
     "network.link_delay: 2 in a torus, xr in a cmesh, else 1; "
     "network.spacing in a flatfly"},
    {"x", "8", NO_EFFECT,
     "cmesh and flatfly are k routers wide; a flatfly with another x is refused"},
    {"y", "8", NO_EFFECT, "cmesh and flatfly are k routers high"},
    {"xr", "1", BECOMES,
     "network.link_delay (cmesh), network.spacing (flatfly); width of a digit in traffic patterns"},
    {"yr", "1", NO_EFFECT, "cmesh and flatfly have xr = yr"},
    {"network_file", "", BECOMES, "network.file (anynet)"},
    {"channel_file", "", NO_EFFECT, unread},
    {"subnets", "1", REFUSED, subnet},
    {"physical_subnetworks", "1", REFUSED, subnet},
    {"limit", "0", BECOMES, "nothing if it is the number of nodes or 0; else refused"},
    {"link_failures", "0", REFUSED, "which links fail is drawn by BookSim's random generator"},
    {"fail_seed", "0", NO_EFFECT, "only link_failures read it"},
    {"in_ports", "5", NO_EFFECT, unread},
    {"out_ports", "5", NO_EFFECT, unread},

    /* router */
    {"router", "iq", REFUSED, "only the input-queued router (iq) has an equivalent"},
    {"routing_delay", "1", BECOMES,
     "network.router_delay, routing; 0: the output is known on arrival"},
    {"vc_alloc_delay", "1", BECOMES, "network.router_delay, allocation"},
    {"sw_alloc_delay", "1", BECOMES, "network.router_delay, switch"},
    {"st_prepare_delay", "0", BECOMES, "network.router_delay, added to the crossing"},
    {"st_final_delay", "1", BECOMES, "network.router_delay, added to the crossing"},
    {"output_delay", "0", NO_EFFECT, unread},
    {"credit_delay", "0", BECOMES, "network.credit_delay"},
    {"num_vcs", "16", BECOMES, "network.virtual_channels and network.ejection_channels"},
    {"vc_buf_size", "8", BECOMES, "network.buffer"},
    {"buf_size", "-1", BECOMES, "network.buffer, if above 0: buf_size / num_vcs"},
    {"buffer_policy", "private", REFUSED, "buffers here belong to a virtual channel each"},
    {"private_bufs", "-1", NO_EFFECT, shared_only},
    {"private_buf_size", "1", NO_EFFECT, shared_only},
    {"private_buf_start_vc", "-1", NO_EFFECT, shared_only},
    {"private_buf_end_vc", "-1", NO_EFFECT, shared_only},
    {"max_held_slots", "-1", NO_EFFECT, shared_only},
    {"feedback_aging_scale", "1", NO_EFFECT, shared_only},
    {"feedback_offset", "0", NO_EFFECT, shared_only},
    {"wait_for_tail_credit", "0", BECOMES, "network.handover: when-empty if 1, else next-cycle"},
    {"input_speedup", "1", BECOMES, "network.input_speedup"},
    {"output_speedup", "1", DIFFERS,
     "an output takes one flit a cycle here: more waiting for outputs under load"},
    {"internal_speedup", "1.0", BECOMES, "network.internal_speedup"},
    {"output_buffer_size", "-1", DIFFERS,
     "the queue behind the switch here holds what the buffers at the link's end take; it matters "
     "only with speedup"},
    {"noq", "0", REFUSED, "virtual channels are not bound to the output after next here"},
    {"hold_switch_for_packet", "0", BECOMES,
     "nothing if messages have one flit; else a warning: flits are switched one by one here"},
    {"vc_busy_when_full", "0", DIFFERS,
     "a channel whose buffer is full may be allocated here: other waiting under load"},
    {"vc_prioritize_empty", "0", DIFFERS,
     "the allocator does not prefer empty channels here: other waiting under load"},
    {"vc_priority_donation", "0", NO_EFFECT, "only priorities read it"},
    {"vc_shuffle_requests", "0", DIFFERS,
     "requests are not shuffled here: other shares of inputs near saturation"},
    {"speculative", "0", BECOMES,
     "network.router_delay with allocation 0 and a warning: failed speculation costs nothing here"},
    {"spec_check_elig", "1", NO_EFFECT, speculating},
    {"spec_check_cred", "1", NO_EFFECT, speculating},
    {"spec_mask_by_reqs", "0", NO_EFFECT, speculating},
    {"spec_sw_allocator", "prio", NO_EFFECT, speculating},
    {"vct", "0", NO_EFFECT, "only the event-driven router reads it"},
    {"vc_allocator", "islip", BECOMES, "the allocator here is iSLIP; others with a warning"},
    {"sw_allocator", "islip", BECOMES, "the allocator here is iSLIP; others with a warning"},
    {"arb_type", "round_robin", DIFFERS,
     "arbiters are round-robin here: other shares of inputs near saturation"},
    {"alloc_iters", "1", BECOMES, "network.allocator_rounds"},
    {"priority", "none", BECOMES,
     "network.arbitration: oldest-first for age and, with a warning, network_age; class: the "
     "priorities of traffic.classes"},
    {"class_priority", "0", BECOMES, "traffic.classes.priority, where priority is class"},

    /* traffic */
    {"classes", "1", BECOMES, "traffic.classes, where there are several"},
    {"traffic", "uniform", BECOMES, "traffic.destinations"},
    {"perm_seed", "0", BECOMES, "traffic.destinations.random-permutation (another permutation)"},
    {"injection_rate", "0.1", BECOMES, "traffic.rate, in messages per node and cycle"},
    {"injection_rate_uses_flits", "0", BECOMES, "traffic.rate: divided by the mean message length"},
    {"packet_size", "1", BECOMES, "traffic.message_flits or traffic.message_mix"},
    {"packet_size_rate", "1", BECOMES, "traffic.message_mix, share"},
    {"injection_process", "bernoulli", BECOMES, "traffic.injection"},
    {"burst_alpha", "0.5", BECOMES, "traffic.injection.on-off: off = 1 / alpha"},
    {"burst_beta", "0.5", BECOMES, "traffic.injection.on-off: on = 1 / beta"},
    {"burst_r1", "-1.0", BECOMES, "traffic.injection.on-off: gives the one of the two left open"},
    {"batch_size", "1000", NO_EFFECT, batch_only},
    {"batch_count", "1", NO_EFFECT, batch_only},
    {"max_outstanding_requests", "0", NO_EFFECT, batch_only},
    {"use_read_write", "0", BECOMES, "traffic.requests"},
    {"write_fraction", "0.5", BECOMES, with_requests},
    {"read_request_size", "1", BECOMES, with_requests},
    {"write_request_size", "1", BECOMES, with_requests},
    {"read_reply_size", "1", BECOMES, with_requests},
    {"write_reply_size", "1", BECOMES, with_requests},
    {"read_request_begin_vc", "0", BECOMES, "network.reply_channels, where use_read_write is 1"},
    {"read_request_end_vc", "5", BECOMES, "network.reply_channels, where use_read_write is 1"},
    {"write_request_begin_vc", "2", BECOMES, "network.reply_channels, where use_read_write is 1"},
    {"write_request_end_vc", "7", BECOMES, "network.reply_channels, where use_read_write is 1"},
    {"read_reply_begin_vc", "8", BECOMES, "network.reply_channels, where use_read_write is 1"},
    {"read_reply_end_vc", "13", BECOMES, "network.reply_channels, where use_read_write is 1"},
    {"write_reply_begin_vc", "10", BECOMES, "network.reply_channels, where use_read_write is 1"},
    {"write_reply_end_vc", "15", BECOMES, "network.reply_channels, where use_read_write is 1"},
    {"read_request_subnet", "0", REFUSED, subnet},
    {"read_reply_subnet", "0", REFUSED, subnet},
    {"write_request_subnet", "0", REFUSED, subnet},
    {"write_reply_subnet", "0", REFUSED, subnet},

    /* simulation */
    {"sim_type", "latency", BECOMES, "latency and throughput are one run here; batch is refused"},
    {"warmup_periods", "3", NO_EFFECT, stopping},
    {"sample_period", "1000", NO_EFFECT, stopping},
    {"max_samples", "10", NO_EFFECT, stopping},
    {"latency_thres", "500.0", NO_EFFECT, stopping},
    {"warmup_thres", "0.05", NO_EFFECT, stopping},
    {"acc_warmup_thres", "0.05", NO_EFFECT, stopping},
    {"stopping_thres", "0.05", NO_EFFECT, stopping},
    {"acc_stopping_thres", "0.05", NO_EFFECT, stopping},
    {"sim_count", "1", NO_EFFECT, "runs are replicated (simulation.replications) as they are"},
    {"measure_stats", "1", DIFFERS, "every class is measured here"},
    {"pair_stats", "0", NO_EFFECT, printing},
    {"include_queuing", "1", DIFFERS,
     "latency counts the wait at the source here; network_latency is the one without it"},
    {"seed", "0", BECOMES, "simulation.seed (other random streams)"},
    {"print_activity", "0", NO_EFFECT, printing},
    {"print_csv_results", "0", NO_EFFECT, "the format of BookSim always has the results line"},
    {"deadlock_warn_timeout", "256", NO_EFFECT, "a deadlock ends the run here"},
    {"viewer_trace", "0", NO_EFFECT, printing},
    {"watch_file", "", NO_EFFECT, printing},
    {"watch_flits", "", NO_EFFECT, printing},
    {"watch_packets", "", NO_EFFECT, printing},
    {"watch_transactions", "", NO_EFFECT, printing},
    {"watch_out", "", NO_EFFECT, printing},
    {"stats_out", "", NO_EFFECT, printing},
    {"injected_flits_out", "", NO_EFFECT, printing},
    {"received_flits_out", "", NO_EFFECT, printing},
    {"stored_flits_out", "", NO_EFFECT, printing},
    {"sent_flits_out", "", NO_EFFECT, printing},
    {"outstanding_credits_out", "", NO_EFFECT, printing},
    {"ejected_flits_out", "", NO_EFFECT, printing},
    {"active_packets_out", "", NO_EFFECT, printing},
    {"used_credits_out", "", NO_EFFECT, printing},
    {"free_credits_out", "", NO_EFFECT, printing},
    {"max_credits_out", "", NO_EFFECT, printing},
    {"sent_packets_out", "", NO_EFFECT, printing},
    {"sim_power", "0", NO_EFFECT, power_only},
    {"power_output_file", "pwr_tmp", NO_EFFECT, power_only},
    {"tech_file", "", NO_EFFECT, power_only},
    {"channel_width", "128", NO_EFFECT, power_only},
    {"channel_sweep", "0", NO_EFFECT, power_only},
    {0},
};

_Static_assert(sizeof fc_booksim_keys / sizeof *fc_booksim_keys <= FC_BOOKSIM_KEYS_MAX,
               "FC_BOOKSIM_KEYS_MAX must hold the table");

size_t fc_booksim_key_count(void) {
    return sizeof fc_booksim_keys / sizeof *fc_booksim_keys - 1;
}

const fc_booksim_key *fc_booksim_key_at(size_t index) {
    return &fc_booksim_keys[index];
}
