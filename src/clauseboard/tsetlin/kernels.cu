// Training a Tsetlin Machine on a GPU, with the same update rules and the same random numbers as
// kernels.py, feedback.py and random_masks.py: one seed gives one machine, bit for bit, on either. Read
// those files first; the functions have the same names here.
//
// A *team* of eight threads holds one clause. Where feedback.py has a lanes value (four 64-bit
// words), here each thread of a team has 32 bits of it, in registers; rows of words are GROUPS
// such values long. A warp is four teams, and its control flow is the same for all of them: a
// loop goes on as long as any team has work, and a team without work adds nothing. So the votes
// and shuffles between threads always have the whole warp.
//
// An epoch is a sequence of steps, one for each block of samples. Every few steps, `load_blocks` and
// `fill_pools` put samples and random numbers ready; in each step `prepare` draws what all clauses of
// a bank share, and `train` gives every clause its feedback and lets it vote on the next block. All
// banks of all machines take a step together.
//
// Defined by the compiler's options: PLANES, WORDS, PATCHES, FUZZY (literals may fail), CHANCE_DIGITS, CHOICES, MOST_FORGETS,
// COUNT_PLANES, POOL_WORDS, FORGET_DIGITS, TRAIN_THREADS, TRAIN_BLOCKS.

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

const u32 WARP = 0xffffffffu;
const int TEAM = 8;
const int TEAMS = 32 / TEAM;       // in a warp
const int GROUPS = WORDS / 4;      // lanes values in a row of words
const int PIECES = 2 * WORDS;      // 32-bit pieces of a row
const int TOP = PLANES - 1;        // the plane that says "included"
const int POOL_ROW = 2 * (POOL_WORDS + 4);                          // 32-bit pieces
const int POOL_SIZE = MOST_FORGETS * COUNT_PLANES * POOL_ROW;

const u64 STREAM_STEP = 0x9E3779B97F4A7C15ull;

// One bank of clauses, as the host describes it (`gpu.BANK` in gpu.py); places count elements.
struct Bank {
    u64 automata;      // 32-bit pieces: clauses × PLANES × PIECES
    u64 clauses;       // of the first clause, in `weights` and `fires`
    u64 rows;          // 32-bit pieces: samples × PATCHES × PIECES
    u64 batch;        // of the first sample, in `order` and `goals`
    double low;
    double high;
    double forget_chance;
    int n_clauses;
    int n_samples;
    int block_size;
    int most_literals;
    int boost;
    int weighted;
    int both_signs;
    int blocks_a_pool;
    int most;          // a clause fires while fewer of its literals fail; 1 unless FUZZY
};

// What the clauses of a bank share in one step.
struct Shared {
    u64 votes[2][64];    // by the parity of the step; signed
    u64 crowds[2][64];   // clauses that fire on a sample (upper half), samples on which these fire
    u64 choices[CHOICES];
    u64 upward;
    u64 key;             // of the stream from which the clauses' own branch off
};

// Up to 64 samples, turned: bit i of columns[patch, literal] tells whether the literal is true on
// sample i.
struct Columns {
    u64 of[PATCHES][64 * WORDS];
};

// A block of samples, as columns and as rows.
struct Block {
    Columns columns;
    u32 rows[64 * PATCHES * PIECES];
};

// Columns of one patch, put together: both[piece, four, k] has the samples on which all those of
// four literals are true that a pattern asks for. In memory shared by threads it matters that those
// of a team meet in different banks of it, and most patterns are 0; so each piece begins elsewhere.
// There is room for it if there is one patch and few literals.
const bool TABLES = PATCHES == 1 && WORDS <= 8 && !FUZZY;

struct Table {
    u64 both[TABLES ? PIECES : 1][8][16];
};

__device__ inline int place_of_pattern(u32 pattern, int piece) { return (pattern + 2 * piece) % 16; }

// ---- random numbers -----------------------------------------------------------------------

__device__ inline u64 mixed(u64 word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
    return word ^ (word >> 31);
}

__device__ inline u64 branch(u64 key, u64 number) { return mixed(key + STREAM_STEP * number); }

__device__ inline u32 next_draw(u32 draws) { return draws * 747796405u + 2891336453u; }

// ---- a clause, its team and the pool of forgets -----------------------------------------------

struct Clause {
    u32 digit[GROUPS][PLANES];   // this thread's piece of each lanes value, lowest plane first
    u32 draws;
    int weight;
};

__device__ inline int lane() { return threadIdx.x % TEAM; }

// Whether it holds for any thread of the caller's team.
__device__ inline bool any_of_team(bool holds) {
    u32 shift = (threadIdx.x % 32) / TEAM * TEAM;
    return (__ballot_sync(WARP, holds) >> shift) & 0xffu;
}

__device__ inline u64 all_of_team(u64 word) {
    u32 low = (u32)word, high = (u32)(word >> 32);
    for (int other = 1; other < TEAM; other *= 2) {
        low &= __shfl_xor_sync(WARP, low, other);
        high &= __shfl_xor_sync(WARP, high, other);
    }
    return (u64)high << 32 | low;
}

__device__ inline u64 lowest_ones(int size) { return size >= 64 ? ~0ull : (1ull << size) - 1; }

// Where this thread finds its pieces of the pool in a draw, and how far they are turned.
struct Place {
    const u32 *pieces;
    u32 turn;
};

__device__ inline Place place_of(u32 draws, const u32 *pool) {
    return {pool + 2 * (draws >> 19 & (POOL_WORDS - 1)) + lane(), draws >> 27};
}

// The place of the same draw in the numbers for `times` forgets.
__device__ inline Place after(Place once, int times) {
    return {once.pieces + (times - 1) * (COUNT_PLANES * POOL_ROW), once.turn};
}

// This thread's piece of a plane of the numbers of forgets.
__device__ inline u32 piece_at(Place place, int plane) {
    u32 piece = __ldg(place.pieces + plane * POOL_ROW);
    return __funnelshift_l(piece, piece, place.turn);
}

// ---- what happens to a clause -----------------------------------------------------------------

// The ones among some samples on which the clause fires at a patch. Four literals are looked up at
// a time: a loop over those included would keep all threads waiting for the one that has most.
__device__ inline u64 evaluate_patch(const Clause &clause, const Table &table, u64 samples) {
    u64 alive = samples;
    for (int group = 0; group < GROUPS; group++) {
        int piece = TEAM * group + lane();
        u32 literals = clause.digit[group][TOP];
        for (int four = 0; four < 8; four++)
            alive &= table.both[piece][four][place_of_pattern(literals >> 4 * four & 15, piece)];
    }
    return all_of_team(alive);
}

// The same by a loop over the literals, where there is no table.
__device__ inline u64 evaluate_patch(const Clause &clause, const u64 *columns, u64 samples) {
    u64 alive = samples;
    for (int group = 0; group < GROUPS; group++) {
        const u64 *own = columns + 32 * (TEAM * group + lane());
        for (u32 literals = clause.digit[group][TOP]; literals && alive; literals &= literals - 1)
            alive &= own[__ffs(literals) - 1];
    }
    return all_of_team(alive);
}

__device__ inline int sum_of_team(int number) {
    for (int other = 1; other < TEAM; other *= 2) number += __shfl_xor_sync(WARP, number, other);
    return number;
}

__device__ inline int count_literals(const Clause &clause) {
    int total = 0;
    for (int group = 0; group < GROUPS; group++) total += __popc(clause.digit[group][TOP]);
    return sum_of_team(total);
}

// How many of the clause's literals fail on a sample; `row` is this thread's piece of its first one.
__device__ inline int count_misses(const Clause &clause, const u32 *row) {
    int total = 0;
    for (int group = 0; group < GROUPS; group++)
        total += __popc(clause.digit[group][TOP] & ~row[TEAM * group]);
    return sum_of_team(total);
}

__device__ inline int clause_strength(const Clause &clause, int most) {
    return max(1, min(most, count_literals(clause)));
}

// Samples in the forms in which clauses can be evaluated on them: `rows` if FUZZY.
struct Samples {
    const Table *table;
    const Columns *columns;
    const u32 *rows;
    int most;
};

// How many of the clause's literals fail at the patch where fewest do; `rows` is this thread's piece
// of the first patch of a sample.
__device__ inline int fewest_misses(const Clause &clause, const u32 *rows) {
    int fewest = count_misses(clause, rows);
    for (int patch = 1; patch < PATCHES; patch++)
        fewest = min(fewest, count_misses(clause, rows + patch * PIECES));
    return fewest;
}

// The ones among some samples on which the clause fires, where some literals may fail.
__device__ inline u64 evaluate_rows(const Clause &clause, const Samples &in, u64 samples) {
    int strength = clause_strength(clause, in.most);
    u64 fired = 0;
    for (int sample = 0; sample < 64; sample++) {
        bool asked = samples >> sample & 1;
        if (!__any_sync(WARP, asked)) continue;
        int misses = fewest_misses(clause, in.rows + sample * (PATCHES * PIECES) + lane());
        if (asked && misses < strength) fired |= 1ull << sample;
    }
    return fired;
}

// The ones among some samples on which the clause fires.
__device__ inline u64 evaluate(const Clause &clause, const Samples &in, u64 samples) {
    if (FUZZY) return evaluate_rows(clause, in, samples);
    if (TABLES) return evaluate_patch(clause, *in.table, samples);
    u64 fired = 0;
    for (int patch = 0; patch < PATCHES; patch++) {
        fired |= evaluate_patch(clause, in.columns->of[patch], samples);
        if (__all_sync(WARP, fired == samples)) break;
    }
    return fired;
}

// Make the table of some columns, by all threads of a block.
__device__ inline void fill_table(Table &table, const Columns &columns) {
    for (int i = threadIdx.x; i < PIECES * 8 * 16; i += blockDim.x) {
        int pattern = i % 16, four = i / 16 % 8, piece = i / 128;
        u64 samples = ~0ull;
        for (int k = 0; k < 4; k++)
            if (pattern >> k & 1) samples &= columns.of[0][32 * piece + 4 * four + k];
        table.both[piece][four][place_of_pattern(pattern, piece)] = samples;
    }
}

__device__ inline void step_automata(u32 (&digit)[PLANES], u32 up, u32 down) {
    u32 not_at_bottom = 0;
    for (int plane = 0; plane < PLANES; plane++) not_at_bottom |= digit[plane];
    down &= not_at_bottom;
    for (int plane = 0; plane < PLANES; plane++) {
        u32 before = digit[plane];
        digit[plane] = before ^ (up | down);
        up &= before;
        down &= ~before;
    }
    if (up) {
        for (int plane = 0; plane < PLANES; plane++) digit[plane] |= up;
    }
}

// Whether this thread's literals at risk are not all kept after `times` forgets.
__device__ inline bool loses(const u32 (&digit)[PLANES], u32 at_risk, Place once, int times) {
    u32 borrow = 0;
    if (at_risk && times > 0) {
        Place place = after(once, times);
        for (int plane = 0; plane < COUNT_PLANES; plane++) {
            u32 count = piece_at(place, plane);
            // With four state bits the fourth is "included" itself.
            u32 before = plane < TOP ? digit[plane] : 0;
            borrow = (~before & (count | borrow)) | (count & borrow);
        }
    }
    return borrow & at_risk;
}

// The first of the next `times` forgets that would drop a literal becomes `times`.
__device__ inline bool times_until_drop(const Clause &clause, int &times, const u32 *pool) {
    bool dropped = false;
    u32 draws = clause.draws;
    for (int group = 0; group < GROUPS; group++) {
        const u32 (&digit)[PLANES] = clause.digit[group];
        draws = next_draw(draws);
        u32 at_risk = digit[TOP];
        for (int plane = COUNT_PLANES; plane < TOP; plane++) at_risk &= ~digit[plane];
        if (!__any_sync(WARP, times > 0 && at_risk)) continue;
        // No literal is lost after `kept` forgets; one is after `times`, or else kept = times - 1.
        // Then probe = kept, which changes nothing: so a team waits for the others.
        Place once = place_of(draws, pool);
        bool drops = any_of_team(loses(digit, at_risk, once, times));
        dropped = dropped || drops;
        int kept = drops ? 0 : times - 1;
        while (__any_sync(WARP, times - kept > 1)) {
            int probe = (kept + times) / 2;
            drops = any_of_team(loses(digit, at_risk, once, probe));
            times = drops ? probe : times;
            kept = drops ? kept : probe;
        }
    }
    return dropped;
}

// Type I feedback `times` times to a clause that did not fire; none if that is zero.
__device__ inline void forget(Clause &clause, int times, const u32 *pool) {
    if (times == 0) return;
    for (int group = 0; group < GROUPS; group++) {
        u32 (&digit)[PLANES] = clause.digit[group];
        clause.draws = next_draw(clause.draws);
        Place place = after(place_of(clause.draws, pool), times);
        u32 borrow = 0;
        for (int plane = 0; plane < COUNT_PLANES; plane++) {
            u32 count = piece_at(place, plane);
            u32 before = digit[plane];
            digit[plane] = before ^ count ^ borrow;
            borrow = (~before & (count | borrow)) | (count & borrow);
        }
        for (int plane = COUNT_PLANES; plane < PLANES; plane++) {
            u32 before = digit[plane];
            digit[plane] = before ^ borrow;
            borrow &= ~before;
        }
        for (int plane = 0; plane < PLANES; plane++) digit[plane] &= ~borrow;
    }
}

// Feedback of type I or II to a clause that fired on a patch.
__device__ inline void respond(
    Clause &clause, const u32 *row, bool type_one, bool boost, const u32 *literals, const u32 *pool
) {
    for (int group = 0; group < GROUPS; group++) {
        clause.draws = next_draw(clause.draws);
        u32 forgotten = piece_at(place_of(clause.draws, pool), 0);
        u32 is_true = row[TEAM * group];
        u32 recognised = boost ? is_true : is_true & ~forgotten;
        u32 blocking = ~is_true & ~clause.digit[group][TOP] & literals[TEAM * group];
        step_automata(
            clause.digit[group],
            type_one ? recognised : blocking,
            type_one ? ~is_true & forgotten : 0
        );
    }
}

// One of the patches of a sample on which the clause fires, each as likely as the others; -1: none.
// If FUZZY, one of those at which fewest literals fail.
__device__ inline int firing_patch(Clause &clause, const u32 *rows, bool active, int most) {
    int count = 0, found = -1, fewest = 0;
    if (FUZZY) {
        fewest = fewest_misses(clause, rows);
        if (fewest >= clause_strength(clause, most)) active = false;
    }
    for (int patch = 0; patch < PATCHES; patch++) {
        bool fires;
        if (FUZZY) {
            fires = count_misses(clause, rows + patch * PIECES) == fewest;
        } else {
            u32 missing = 0;
            for (int group = 0; group < GROUPS; group++)
                missing |= clause.digit[group][TOP] & ~rows[patch * PIECES + TEAM * group];
            fires = !any_of_team(missing);
        }
        if (fires && active) {
            count++;
            bool kept = true;
            if (count > 1) {
                clause.draws = next_draw(clause.draws);
                kept = __umulhi(clause.draws, count) == 0;
            }
            if (kept) found = patch;
        }
    }
    return found;
}

__device__ inline void feed_back(
    Clause &clause, u64 fired, u64 type_one, u64 type_two, const Bank &bank, const u32 *block_rows,
    const Samples &samples, const u32 *literals, const u32 *pool
) {
    u64 silent = type_one & ~fired, asleep = type_two & ~fired;
    u64 events = (type_one | type_two) & fired;
    while (__any_sync(WARP, silent != 0)) {
        int times = min(__popcll(silent), MOST_FORGETS);
        bool dropped = times_until_drop(clause, times, pool);
        forget(clause, times, pool);
        if (!dropped && __popcll(silent) == times) {
            silent = 0;
        } else {
            u64 last = silent;
            for (int k = 1; k < times; k++) last &= last - 1;
            u64 later = ~(last ^ (last - 1));
            silent &= later;
            if (dropped) asleep &= later;
        }
        u64 asked = dropped ? silent | asleep : 0;
        if (__any_sync(WARP, asked != 0)) {
            u64 woken = evaluate(clause, samples, asked);
            events |= woken;
            silent &= ~woken;
            asleep &= ~woken;
        }
    }
    int owed = 0;
    u32 low = (u32)events, high = (u32)(events >> 32);
    while (__any_sync(WARP, low | high)) {
        bool active = low | high;
        int half = low ? 0 : 32;
        u32 left = low ? low : high;
        int sample = active ? half + __ffs(left) - 1 : 0;
        left &= left - 1;
        if (low) low = left; else high = left;
        bool is_one = (half ? (u32)(type_one >> 32) : (u32)type_one) >> (sample & 31) & 1;
        const u32 *rows = block_rows + sample * (PATCHES * PIECES) + lane();
        int patch = firing_patch(clause, rows, active, bank.most);
        bool full = false;
        if (bank.most_literals >= 0) full = count_literals(clause) > bank.most_literals;
        if (active && (patch < 0 || (is_one && full))) {
            owed += is_one;
        } else if (active) {
            if (bank.weighted) clause.weight = max(clause.weight + (is_one ? 1 : -1), 1);
            respond(clause, rows + patch * PIECES, is_one, bank.boost, literals, pool);
        }
    }
    while (owed > 0) {
        int times = min(owed, MOST_FORGETS);
        forget(clause, times, pool);
        owed -= times;
    }
}

// ---- kernels ------------------------------------------------------------------------------

// Fill the pools of the banks that need a fresh one before this step; a thread for every word.
extern "C" __global__ void fill_pools(
    const Bank *banks, const u64 *streams, u32 *pools, int step
) {
    const Bank &bank = banks[blockIdx.x];
    if (step % bank.blocks_a_pool != 0 || step * bank.block_size >= bank.n_samples) return;
    u64 *pool = (u64 *)(pools + (u64)blockIdx.x * POOL_SIZE);
    u64 key = mixed(streams[blockIdx.x]);
    i64 digits = (i64)(bank.forget_chance * (1 << FORGET_DIGITS) + 0.5);
    bool always = digits >> FORGET_DIGITS;
    for (int word = threadIdx.x; word < POOL_ROW / 2; word += blockDim.x) {
        u64 stream = branch(key, word);
        u64 count[COUNT_PLANES] = {0};
        for (int times = 0; times < MOST_FORGETS; times++) {
            u64 carry = always ? ~0ull : 0;
            for (int digit = 0; digit < FORGET_DIGITS; digit++) {
                stream += STREAM_STEP;
                if ((digits >> digit) & 1 || always) carry |= mixed(stream);
                else carry &= mixed(stream);
            }
            for (int plane = 0; plane < COUNT_PLANES; plane++) {
                u64 before = count[plane];
                count[plane] = before ^ carry;
                carry &= before;
                pool[(times * COUNT_PLANES + plane) * (POOL_ROW / 2) + word] = count[plane];
            }
        }
    }
}

// Copy up to 64 samples side by side, and turned into columns.
__device__ void load_block(const u32 *rows, const int *order, int size, Block &block) {
    int warp = threadIdx.x / 32, n_warps = blockDim.x / 32, own = threadIdx.x % 32;
    for (int piece = warp; piece < PATCHES * PIECES; piece += n_warps) {
        u32 half[2] = {0, 0};
        for (int upper = 0; upper < 2; upper++) {
            int i = 32 * upper + own;
            u32 bits = i < size ? rows[(u64)order[i] * PATCHES * PIECES + piece] : 0;
            block.rows[i * PATCHES * PIECES + piece] = bits;
            for (int bit = 0; bit < 32; bit++) {
                u32 column = __ballot_sync(WARP, bits >> bit & 1);
                if (bit == own) half[upper] = column;
            }
        }
        block.columns.of[piece / PIECES][piece % PIECES * 32 + own] = (u64)half[1] << 32 | half[0];
    }
}

// Load the blocks of the next steps of every bank, [step, step + gridDim.y); step s lies at place
// s % n_places of the bank's. A block of threads loads one block.
extern "C" __global__ void load_blocks(
    const Bank *banks, Block *blocks, int n_places, const u32 *rows, const int *order, int step
) {
    const Bank &bank = banks[blockIdx.x];
    int number = step + blockIdx.y;
    i64 first = (i64)number * bank.block_size;
    if (first >= bank.n_samples) return;
    int size = min(bank.block_size, (int)(bank.n_samples - first));
    load_block(
        rows + bank.rows, order + bank.batch + first, size,
        blocks[(u64)blockIdx.x * n_places + number % n_places]
    );
}

// Before a step: draw what the clauses of a bank share, from the votes on its block. A block of 64
// threads does it for each bank.
extern "C" __global__ void prepare(
    const Bank *banks, Shared *shared, u64 *streams, const double *goals, int step
) {
    __shared__ u32 chances[2][CHANCE_DIGITS];
    __shared__ u32 upward[2];
    const Bank &bank = banks[blockIdx.x];
    Shared &own = shared[blockIdx.x];
    int first = step * bank.block_size;
    if (step < 0 || first >= bank.n_samples) return;
    int size = min(bank.block_size, bank.n_samples - first);
    if (threadIdx.x < 64) {
        int sample = threadIdx.x;
        int chance = 0;
        bool up = false;
        if (sample < size) {
            double halfway = (bank.high - bank.low) / 2 / bank.most;
            double votes = (double)(i64)own.votes[step % 2][sample];
            double error =
                goals[bank.batch + first + sample] - fmin(fmax(votes, bank.low), bank.high);
            double probability = fabs(error) / (bank.high - bank.low);
            u64 crowd = own.crowds[step % 2][sample];
            double firing = (double)(crowd >> 32), together = (double)(crowd & 0xffffffffull);
            if (together > halfway) probability *= fmax(halfway, firing) / together;
            const int most = 1 << CHANCE_DIGITS;
            chance = (int)fmin(probability * most, (double)(most - 1));
            up = error > 0;
        }
        own.votes[(step + 1) % 2][sample] = 0;
        own.crowds[(step + 1) % 2][sample] = 0;
        u32 ups = __ballot_sync(WARP, up);
        if (sample % 32 == 0) upward[sample / 32] = ups;
        for (int digit = 0; digit < CHANCE_DIGITS; digit++) {
            u32 ones = __ballot_sync(WARP, chance >> (CHANCE_DIGITS - 1 - digit) & 1);
            if (sample % 32 == 0) chances[sample / 32][digit] = ones;
        }
    }
    u64 begin = streams[blockIdx.x];
    __syncthreads();
    // A fresh pool was drawn from the same stream.
    u64 after_pool = step % bank.blocks_a_pool == 0 ? begin + STREAM_STEP : begin;
    if (threadIdx.x < CHOICES) {
        u64 draws = branch(mixed(after_pool), threadIdx.x);
        u64 chosen = 0, undecided = lowest_ones(size);
        for (int digit = 0; digit < CHANCE_DIGITS && undecided; digit++) {
            draws += STREAM_STEP;
            u64 random = mixed(draws);
            u64 chance = (u64)chances[1][digit] << 32 | chances[0][digit];
            chosen |= undecided & chance & ~random;
            undecided &= ~(chance ^ random);
        }
        own.choices[threadIdx.x] = chosen;
    }
    if (threadIdx.x == 0) {
        own.upward = (u64)upward[1] << 32 | upward[0];
        own.key = mixed(after_pool + STREAM_STEP);
        streams[blockIdx.x] = after_pool + 2 * STREAM_STEP;
    }
}

// Votes that are added up in shared memory before they go to all.
struct Poll {
    int low[64];      // the lower 16 bits of each weight, and
    int high[64];     // the rest, so that no sum overflows
    u32 crowds[64];   // clauses that fire (upper 12 bits), samples on which these fire
    u64 fuzzy[FUZZY ? 64 : 1];   // whole votes, which may be large where literals may fail
};

__device__ inline u64 votes_in(const Poll &poll, int sample) {
    if (FUZZY) return poll.fuzzy[sample];
    return (u64)((i64)poll.high[sample] * 65536 + poll.low[sample]);
}

__device__ inline void cast_votes(Poll &poll, u64 fired, int weight) {
    u32 company = (1u << 20) + __popcll(fired);
    for (u32 own = (u32)(fired >> 8 * lane()) & 0xff; own; own &= own - 1) {
        int sample = 8 * lane() + __ffs(own) - 1;
        atomicAdd(&poll.low[sample], weight & 0xffff);
        if (weight >> 16) atomicAdd(&poll.high[sample], weight >> 16);
        atomicAdd(&poll.crowds[sample], company);
    }
}

// The same for a clause that votes with its weight for each literal that may yet fail.
__device__ inline void cast_fuzzy_votes(
    Poll &poll, const Clause &clause, const Samples &in, u64 fired, int weight
) {
    int strength = clause_strength(clause, in.most);
    u32 company = (1u << 20) + __popcll(fired);
    for (int sample = 0; sample < 64; sample++) {
        bool fires = fired >> sample & 1;
        if (!__any_sync(WARP, fires)) continue;
        int misses = fewest_misses(clause, in.rows + sample * (PATCHES * PIECES) + lane());
        if (fires && lane() == sample % TEAM) {
            atomicAdd(&poll.fuzzy[sample], (u64)((i64)weight * (strength - misses)));
            atomicAdd(&poll.crowds[sample], company);
        }
    }
}

__device__ inline void empty_poll(Poll &poll) {
    for (int i = threadIdx.x; i < 64; i += blockDim.x) {
        poll.low[i] = poll.high[i] = poll.crowds[i] = 0;
        if (FUZZY) poll.fuzzy[i] = 0;
    }
}

// One step: every clause gets the feedback of this block and votes on the next; in step -1 there is
// no feedback yet. Each block of threads has clauses [first, end) of one bank, at most 4095 of them
// so that no sum of a poll overflows.
extern "C" __global__ void __launch_bounds__(TRAIN_THREADS, TRAIN_BLOCKS) train(
    const Bank *banks, const int4 *chunks, Shared *shared, const Block *blocks, int n_places,
    const u32 *pools, u32 *automata, int *weights, u64 *fires, const u32 *literals, int step
) {
    __shared__ Poll poll;
    __shared__ u64 choices[CHOICES];
    __shared__ int next_base;
    __shared__ Table tables[2];
    int4 chunk = chunks[blockIdx.x];
    const Bank &bank = banks[chunk.x];
    Shared &own = shared[chunk.x];
    int first = step * bank.block_size, next = first + bank.block_size;
    if (step >= 0 && first >= bank.n_samples) return;
    bool votes = next < bank.n_samples;
    const Block &block = blocks[(u64)chunk.x * n_places + max(step, 0) % n_places];
    const Block &next_block = blocks[(u64)chunk.x * n_places + (step + 1) % n_places];
    if (TABLES && step >= 0) fill_table(tables[0], block.columns);
    if (TABLES && votes) fill_table(tables[1], next_block.columns);
    Samples these = {&tables[0], &block.columns, block.rows, bank.most};
    Samples following = {&tables[1], &next_block.columns, next_block.rows, bank.most};
    u64 next_samples = lowest_ones(min(bank.block_size, bank.n_samples - next));
    for (int i = threadIdx.x; i < CHOICES; i += blockDim.x) choices[i] = own.choices[i];
    if (threadIdx.x == 0) next_base = chunk.y;
    empty_poll(poll);
    __syncthreads();

    const u32 *pool = pools + (u64)chunk.x * POOL_SIZE;
    u64 key = own.key, upward = own.upward;
    int team = threadIdx.x % 32 / TEAM;
    while (true) {
        // Warps take the next clauses as they come, for some need many times as long as others.
        int base = 0;
        if (threadIdx.x % 32 == 0) base = atomicAdd(&next_base, TEAMS);
        base = __shfl_sync(WARP, base, 0);
        if (base >= chunk.z) break;
        // A team without a clause looks at the last one, but changes nothing.
        int number = min(base + team, chunk.z - 1);
        bool present = base + team < chunk.z;
        u64 place = bank.clauses + number;
        u32 *pieces = automata + bank.automata + (u64)number * (PLANES * PIECES) + lane();
        Clause clause;
        for (int group = 0; group < GROUPS; group++)
            for (int plane = 0; plane < PLANES; plane++)
                clause.digit[group][plane] = pieces[plane * PIECES + TEAM * group];
        clause.weight = weights[place];
        bool against = bank.both_signs && number % 2 == 1;
        if (step >= 0) {
            u64 begin = branch(key, number);
            u64 one = choices[begin % CHOICES], other = choices[begin / CHOICES % CHOICES];
            u64 chosen = other ^ ((one ^ other) & mixed(begin + STREAM_STEP));
            clause.draws = (u32)(begin >> 32);
            u64 rewarded = against ? ~upward : upward;
            if (!present) chosen = 0;
            feed_back(
                clause, fires[place], chosen & rewarded, chosen & ~rewarded, bank, block.rows,
                these, literals + lane(), pool
            );
            if (present) {
                for (int group = 0; group < GROUPS; group++)
                    for (int plane = 0; plane < PLANES; plane++)
                        pieces[plane * PIECES + TEAM * group] = clause.digit[group][plane];
                if (lane() == 0) weights[place] = clause.weight;
            }
        }
        if (votes) {
            u64 fired = evaluate(clause, following, next_samples);
            int weight = against ? -clause.weight : clause.weight;
            if (present && lane() == 0) fires[place] = fired;
            if (FUZZY) cast_fuzzy_votes(poll, clause, following, present ? fired : 0, weight);
            else if (present) cast_votes(poll, fired, weight);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; votes && i < 64; i += blockDim.x) {
        u64 total = votes_in(poll, i);
        u64 crowd = (u64)(poll.crowds[i] >> 20) << 32 | (poll.crowds[i] & 0xfffffu);
        if (total) atomicAdd(&own.votes[(step + 1) & 1][i], total);
        if (crowd) atomicAdd(&own.crowds[(step + 1) & 1][i], crowd);
    }
}

// The literals of a sample's piece, as bits. `sources` is explained below.
__device__ inline u32 pack_piece(
    const unsigned char *sample, const int *sources, int n_features, int piece
) {
    u32 bits = 0;
    for (int bit = 0; bit < 32; bit++) {
        int literal = piece % PIECES * 32 + bit;
        if (literal >= 2 * n_features) break;
        int source = sources[piece / PIECES * n_features + literal % n_features];
        u32 is_set = source >= 0 ? sample[source] : source == -2;
        bits |= (literal < n_features ? is_set : 1 - is_set) << bit;
    }
    return bits;
}

// Pack samples, a byte for each bit, into rows: samples × PATCHES × PIECES; a thread a piece.
extern "C" __global__ void pack_samples(
    const unsigned char *samples, i64 n_samples, int n_bits, const int *sources, int n_features,
    u32 *rows
) {
    i64 place = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    i64 sample = place / (PATCHES * PIECES);
    if (sample < n_samples)
        rows[place] = pack_piece(
            samples + sample * n_bits, sources, n_features, place % (PATCHES * PIECES)
        );
}

// Turn samples, a byte for each bit, into columns, 64 at a time; a block of threads for each.
// sources[patch, feature] is the bit of the sample that the feature shows, or -1 where it is never
// set, or -2 where it always is.
extern "C" __global__ void turn_samples(
    const unsigned char *samples, int n_samples, int n_bits, const int *sources, int n_features,
    Columns *columns
) {
    u64 first = 64ull * blockIdx.x;
    int size = min(64, (int)(n_samples - first));
    int warp = threadIdx.x / 32, n_warps = blockDim.x / 32, own = threadIdx.x % 32;
    for (int piece = warp; piece < PATCHES * PIECES; piece += n_warps) {
        int literal = piece % PIECES * 32 + own;
        u64 column = 0;
        if (literal < 2 * n_features) {
            int source = sources[piece / PIECES * n_features + literal % n_features];
            if (source >= 0)
                for (int sample = 0; sample < size; sample++)
                    column |= (u64)samples[(first + sample) * n_bits + source] << sample;
            if (source == -2) column = ~0ull;
            if (literal >= n_features) column = ~column;
        }
        columns[blockIdx.x].of[piece / PIECES][piece % PIECES * 32 + own] = column;
    }
}

// Add the votes of one class's clauses on samples in columns to votes[sample, class]. A block of
// threads has 64 samples (blockIdx.x) and every gridDim.y-th clause. Clause k's included literals
// begin at include[k * stride]. Here a clause without literals keeps silent.
extern "C" __global__ void count_votes(
    const Columns *columns, int n_samples, const u32 *include, u64 stride, const int *weights,
    int n_clauses, int both_signs, u64 *votes, int n_classes, int class_
) {
    __shared__ Poll poll;
    __shared__ Table table;
    if (TABLES) fill_table(table, columns[blockIdx.x]);
    Samples these = {&table, &columns[blockIdx.x], nullptr, 1};
    empty_poll(poll);
    __syncthreads();
    u64 first = 64ull * blockIdx.x;
    u64 samples = lowest_ones(min(64, (int)(n_samples - first)));
    int warps = blockDim.x / 32, team = threadIdx.x % 32 / TEAM;
    for (int base = TEAMS * (blockIdx.y * warps + threadIdx.x / 32); base < n_clauses;
         base += TEAMS * warps * gridDim.y) {
        int number = base + team;
        bool present = number < n_clauses;
        Clause clause;
        bool empty = true;
        for (int group = 0; group < GROUPS; group++) {
            u32 piece = present ? include[number * stride + TEAM * group + lane()] : 0;
            clause.digit[group][TOP] = piece;
            empty = empty && !piece;
        }
        bool silent = !any_of_team(!empty);
        u64 fired = evaluate(clause, these, silent ? 0 : samples);
        int weight = present ? weights[number] : 0;
        cast_votes(poll, fired, both_signs && number % 2 == 1 ? -weight : weight);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 64 && first + i < n_samples; i += blockDim.x) {
        u64 total = votes_in(poll, i);
        if (total) atomicAdd(&votes[(first + i) * n_classes + class_], total);
    }
}

// The same for clauses of which fewer than `most` literals may fail, on samples in rows; a thread
// has one of the 64 samples and every fourth of the block's clauses.
extern "C" __global__ void count_fuzzy_votes(
    const u32 *rows, int n_samples, const u32 *include, u64 stride, const int *weights,
    int n_clauses, int both_signs, int most, u64 *votes, int n_classes, int class_
) {
    u64 sample = 64ull * blockIdx.x + threadIdx.x % 64;
    if (sample >= n_samples) return;
    const u32 *rows_here = rows + sample * (PATCHES * PIECES);
    int slot = threadIdx.x / 64, slots = blockDim.x / 64;
    i64 total = 0;
    for (int number = blockIdx.y * slots + slot; number < n_clauses; number += slots * gridDim.y) {
        const u32 *pieces = include + number * stride;
        int literals = 0, fewest = 64 * WORDS;
        for (int piece = 0; piece < PIECES; piece++) literals += __popc(pieces[piece]);
        for (int patch = 0; patch < PATCHES; patch++) {
            int misses = 0;
            for (int piece = 0; piece < PIECES; piece++)
                misses += __popc(pieces[piece] & ~rows_here[patch * PIECES + piece]);
            fewest = min(fewest, misses);
        }
        i64 left = max(min(most, literals) - fewest, 0);
        total += both_signs && number % 2 == 1 ? -left * weights[number] : left * weights[number];
    }
    if (total) atomicAdd(&votes[sample * n_classes + class_], (u64)total);
}
