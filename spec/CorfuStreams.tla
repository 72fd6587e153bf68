---------------------------- MODULE CorfuStreams ----------------------------
(***************************************************************************)
(* Streams with replicas of their own (docs/design.md, sections 4 to 7,       *)
(* decision 9): an entry is in its log chain, and behind that in the       *)
(* replicas of each of its streams. Clients append to one or several       *)
(* streams, read by stream and by log address, and fill. Processes seal    *)
(* and decide layouts. A unit of either kind may be lost, and is rebuilt   *)
(* from the other kind. Sequencers start with only the log's end.          *)
(*                                                                         *)
(* An action has the name of the method that implements it.                *)
(*                                                                         *)
(*   Tokens           NextInStreams  Admit (which is askKnowing)           *)
(*   StreamUnits      EndsBelow                                            *)
(*   AppendBatch      WriteHead      and behind the head, like others:     *)
(*   ChainRepair      Decide  CarryOn                                      *)
(*   StreamReader     Pass           from one entry to the next            *)
(*   Rebuild          Copy                                                 *)
(*   ReconfigurationAttempt  Renew  Shorten  GoOnFromStreams  GoOnFromLog  *)
(*                    Finish, each with the Sealing of its units           *)
(*   log unit         Install  Forget                                      *)
(*                                                                         *)
(* A seal is one step with its decision. It only stops a unit until the    *)
(* unit learns of the next layout. So an earlier seal would have no other  *)
(* effect, with or without a decided layout.                               *)
(*                                                                         *)
(* As in CorfuRebuild, there are no processes: every action under a layout *)
(* relies on everything that a client can have seen. So the model stands   *)
(* for any number of clients, each of which may stop for ever or continue  *)
(* late. Lost units keep their entries here, as a record of what a client  *)
(* has seen; nobody reads them there any more.                             *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences

CONSTANTS
    Replicas,       \* length of the first log chain
    LastAddress,
    LastEpoch,
    Wishes,         \* the possible sets of an entry's streams
    Losses,         \* number of lost units, each lost when all is whole
    Mortal,         \* their kinds: "log", "stream"
    Trims,          \* number of prefix trims
    Without         \* names of left-out rules: the model must fail

Streams   == {1, 2}
Addresses == 0 .. LastAddress
Epochs    == 1 .. LastEpoch

LogUnits  == 1 .. Replicas
StreamUnit(s) == Replicas + s
Spares    == Replicas + 3 .. Replicas + 2 + Losses
Units     == 1 .. Replicas + 2 + Losses

RuleNames ==
    { "R2",           \* a token dies with its epoch
      "R4",           \* holes, and entries of no stream, have a stream replica
      "R6",           \* the sequencer starts behind the entries of the heads
      "R6 lost",      \* for a lost log chain, behind those of stream replicas
      "R6 ends",      \* a stream ends behind its entries on the heads
      "R6 ends lost", \* for a lost log chain, behind those on stream replicas
      "R6 ends all",  \* of all streams, not only its own
      "R7",           \* for a lost log chain, an address that no stream
                      \* replica holds is a hole, whatever its writer was about
                      \* to write
      "R7 once",      \* and it is a hole at the stream replica before it is
                      \* copied
      "unknown",      \* a sequencer asks where a stream ended
      "floor",        \* and is told the entries below its own epoch's start
      "forgotten",    \* a stream continues behind forgotten entries
      "roll forward by address", \* a reader completes an entry before
      "roll forward by stream",  \* it returns the entry
      "gap",          \* if stream addresses are missing, the epoch's tokens in
                      \* between are decided first
      "old gap",      \* and their entries on heads are completed, however old
      "seal streams", \* for a lost log chain: all stream replicas are sealed
      "seal parts"    \* for a lost stream chain: the other stream replicas,
                      \* too, because they are read no more
    }
ASSUME Without \subseteq RuleNames

Keeps(rule) == rule \notin Without

VARIABLES
    layouts,    \* of each epoch: [floor, start, old, new], or NoLayout
    installed,  \* of each unit: the epoch of its installed layout
    out,        \* units that are lost, or count as lost
    store,      \* of each unit: the content of each address
    forgotten,  \* of each unit: below, it has forgotten trimmed entries
    trimmed,    \* everything below is trimmed
    sequencer,  \* [next, ends] of the newest epoch
    tokens,     \* <<address, entry>>: may be written
    looked,     \* <<epoch, stream, end>>: a client has looked the end up
    \* History, for the invariants:
    returned,   \* <<address, entry>>, if a rule is left out: see Known
    passed,     \* of each stream: addresses that are not in it, as a reader
                \* has seen by reading on behind them
    broken      \* forbidden events that have happened

unit  == <<installed, store>>
seen  == <<returned, passed, broken>>
vars  == <<layouts, unit, out, forgotten, trimmed, sequencer, tokens, looked,
           seen>>

(***************************************************************************)
(* Values                                                                  *)
(***************************************************************************)

\* <<kind, epoch in which the head accepted it, place in stream 1, in stream
\* 2>>
Nothing     == <<0, 0, -1, -1>>
Hole(e)     == <<2, e, -1, -1>>
CopiedHole(e) == <<3, e, -1, -1>> \* only without "R7 once": it has another id
Place(x, s) == x[s + 2]
In(x, s)    == Place(x, s) >= 0

Max(a, b)  == IF a > b THEN a ELSE b
Highest(S) == CHOOSE n \in S : \A m \in S : n >= m
Lowest(S)  == CHOOSE n \in S : \A m \in S : n <= m
Range(s)   == {s[i] : i \in DOMAIN s}

NoLayout == [floor |-> 0, start |-> 0, old |-> <<>>, new |-> <<>>]
Decided  == {e \in Epochs : layouts[e] /= NoLayout}
Newest   == Cardinality(Decided)

\* An arrangement: a log chain, empty if it was lost; and the replica of each
\* stream, or 0 if one of them was lost. Addresses below a layout's start have
\* the old one, whose target is the new one.
Arrangement(e, a) ==
    IF a < layouts[e].start THEN layouts[e].old ELSE layouts[e].new

HasStreams(arr) == arr.streams[1] /= 0
StreamUnits(arr) == IF HasStreams(arr) THEN Range(arr.streams) ELSE {}
UnitsOf(arr)    == Range(arr.log) \cup StreamUnits(arr)
Named(e)        == UnitsOf(layouts[e].old) \cup UnitsOf(layouts[e].new)
IsWhole(e)      == layouts[e].old = layouts[e].new

\* R4: the stripe of the address.
HolesUnit(arr, a) == arr.streams[1 + (a % 2)]

\* The registers of an entry, in the order in which they are written. A hole
\* has those of an entry of no stream.
Path(arr, a, x) ==
    arr.log \o
    (IF ~HasStreams(arr) THEN <<>>
     ELSE IF In(x, 1) \/ In(x, 2)
     THEN (IF In(x, 1) THEN <<arr.streams[1]>> ELSE <<>>)
          \o (IF In(x, 2) THEN <<arr.streams[2]>> ELSE <<>>)
     ELSE IF Keeps("R4") THEN <<HolesUnit(arr, a)>> ELSE <<>>)

Values(a) == {store[u][a] : u \in Units} \ {Nothing}

HasAll(path, a, x) ==
    path /= <<>> /\ \A i \in DOMAIN path : store[path[i]][a] = x

\* A client that knows only an older layout has met no entry of a newer epoch.
Complete(e, a, x) ==
    x[2] <= e /\ HasAll(Path(Arrangement(e, a), a, x), a, x)

\* An entry on the last register of a layout may have been returned by an
\* append or a read.
Known ==
    UNION {{<<a, x>> : x \in {y \in Values(a) :
                \E e \in Decided : Complete(e, a, y)}} : a \in Addresses}
    \cup returned

EndOf(u) ==
    Max(trimmed,
        LET held == {a \in Addresses : store[u][a] /= Nothing}
        IN  IF held = {} THEN 0 ELSE 1 + Highest(held))

(***************************************************************************)
(* Log units                                                               *)
(***************************************************************************)

\* A unit that counts as lost still serves under the layout that it knows.
Serves(u, e) == e > 0 /\ installed[u] = e

\* But because of its lease, it answers no reads after another layout is
\* decided.
Answers(u, e) == Serves(u, e) /\ (u \in out => e = Newest)

\* LogUnit.write, for a unit that serves: the first write wins.
Write(u, a, x) ==
    IF store[u][a] = Nothing
    THEN /\ store' = [store EXCEPT ![u][a] = x]
         /\ UNCHANGED broken
    ELSE /\ store[u][a] /= x
         /\ broken' = broken \cup {"alarm: the chain property is broken"}
         /\ UNCHANGED store

\* A unit that was not sealed learns of a new layout later. A sealed unit
\* learns it at once: it would do nothing until then.
Install(u) ==
    \E e \in Decided :
        /\ u \notin out
        /\ u \in Named(e) /\ e > installed[u]
        /\ installed' = [installed EXCEPT ![u] = e]
        /\ UNCHANGED <<layouts, store, out, forgotten, trimmed,
                       sequencer, tokens, looked, seen>>

\* By a restart: the unit forgets the streams of trimmed entries.
Forget(u) ==
    /\ u \notin out
    /\ u = 1 \/ (u \notin Spares /\ "log" \in Mortal) \* the asked unit
    /\ forgotten[u] < trimmed
    /\ forgotten' = [forgotten EXCEPT ![u] = trimmed]
    /\ UNCHANGED <<layouts, unit, out, trimmed, sequencer, tokens, looked,
                   seen>>

\* The copy of a trimmed address contains only its trim.
ForgottenBefore(u) ==
    CASE ~Keeps("forgotten") -> 0
      [] u \in Spares        -> trimmed
      [] OTHER               -> forgotten[u]

Knows(u, a) == a >= (IF u \in Spares THEN trimmed ELSE forgotten[u])

\* A prefix trim of all units is one step: see CorfuRebuild.
Trim ==
    \E n \in 1 .. sequencer.next :
        /\ Trims > 0 /\ trimmed = 0
        /\ trimmed' = n
        /\ tokens' = {t \in tokens : t[1] >= n}
        /\ UNCHANGED <<layouts, unit, out, forgotten, sequencer, looked, seen>>

(***************************************************************************)
(* Tokens in streams                                                       *)
(***************************************************************************)

Unknown == -1

\* The units that decide the entry of an address.
Heads(e, a) ==
    LET arr == Arrangement(e, a)
    IN  IF arr.log /= <<>> THEN {arr.log[1]} ELSE StreamUnits(arr)

\* The units that are asked for the end of stream s.
Asked(e, a, s) ==
    LET arr == Arrangement(e, a)
    IN  CASE arr.log = <<>> /\ ~Keeps("R6 ends lost") -> {}
          [] arr.log = <<>> /\ ~Keeps("R6 ends all")  -> {arr.streams[s]}
          [] ~Keeps("R6 ends") /\ HasStreams(arr)     -> {arr.streams[s]}
          [] OTHER -> Heads(e, a)

\* The end of the stream at the epoch's beginning. A stream address is never
\* issued twice: the newest entry may have been forgotten, but it was below
\* this.
EndsBelow(s) ==
    LET e     == Newest
        floor == layouts[e].floor
        below == {a \in Addresses : a < floor}
        found == {a \in below : \E u \in Asked(e, a, s) :
                      In(store[u][a], s) /\ Knows(u, a)}
        asked == UNION {Asked(e, a, s) : a \in below}
        marks == {ForgottenBefore(u) : u \in asked} \cup {0}
        mark  == IF Highest(marks) < floor THEN Highest(marks) ELSE floor
        place(a) == LET u == CHOOSE v \in Asked(e, a, s) : In(store[v][a], s)
                    IN  Place(store[u][a], s)
        next  == IF found = {} THEN 0
                 ELSE 1 + Highest({place(a) : a \in found})
        end   == IF found = {} \/ Highest(found) < mark THEN Max(next, mark)
                 ELSE next
    IN  /\ Keeps("floor") => sequencer.ends[s] = Unknown
        /\ \A u \in asked : Answers(u, e)
        /\ <<e, s, end>> \notin looked
        /\ looked' = looked \cup {<<e, s, end>>}
        /\ UNCHANGED <<layouts, unit, out, forgotten, trimmed, sequencer,
                       tokens, seen>>

\* Streams.admit: the first answer counts.
Admit(s) ==
    \E l \in looked :
        /\ sequencer.ends[s] = Unknown
        /\ l[2] = s
        /\ Keeps("floor") => l[1] = Newest
        /\ sequencer' = [sequencer EXCEPT !.ends[s] = l[3]]
        /\ looked' = {m \in looked : m[2] /= s}
        /\ UNCHANGED <<layouts, unit, out, forgotten, trimmed, tokens, seen>>

NextInStreams(wish) ==
    LET e   == Newest
        a   == sequencer.next
        at(s) == IF s \in wish THEN sequencer.ends[s] ELSE -1
    IN  /\ a <= LastAddress
        /\ \A s \in wish : sequencer.ends[s] /= Unknown
        /\ sequencer' = [next |-> a + 1,
                         ends |-> [s \in Streams |->
                             IF s \in wish THEN sequencer.ends[s] + 1
                             ELSE sequencer.ends[s]]]
        /\ tokens' = IF a < trimmed THEN tokens
                     ELSE tokens \cup {<<a, <<1, e, at(1), at(2)>>>>}
        /\ UNCHANGED <<layouts, unit, out, forgotten, trimmed, looked, seen>>

(***************************************************************************)
(* Writing and completing                                                  *)
(***************************************************************************)

\* An entry accepted by a left-out head gets nowhere: all units behind it were
\* sealed.
Matters(u) == u \notin out \/ ~Keeps("seal streams")

\* The head decides (R1). A token is lost if its address has another entry.
WriteHead(e, a) ==
    \E t \in tokens :
        /\ e \in Decided
        /\ a = t[1]
        /\ IF Keeps("R2") THEN e = t[2][2] ELSE e >= t[2][2]
        /\ Arrangement(e, a).log /= <<>>
        /\ LET u == Arrangement(e, a).log[1]
           IN  /\ Serves(u, e) /\ Matters(u)
               /\ store[u][a] = Nothing
               /\ store' = [store EXCEPT ![u][a] = [t[2] EXCEPT ![2] = e]]
        /\ tokens' = {o \in tokens : o[1] /= a}
        /\ UNCHANGED <<layouts, installed, out, forgotten, trimmed,
                       sequencer, looked, seen>>

\* ChainRepair.decide, if the head holds nothing, by a reader or by a writer
\* that settles in a newer epoch: a hole.
Decide(e, a) ==
    LET arr == Arrangement(e, a)
    IN  /\ e \in Decided
        /\ a >= trimmed /\ a < sequencer.next
        /\ IF arr.log /= <<>>
           THEN /\ Serves(arr.log[1], e) /\ Matters(arr.log[1])
                /\ store[arr.log[1]][a] = Nothing
                /\ store' = [store EXCEPT ![arr.log[1]][a] = Hole(e)]
           ELSE \* R7
                /\ \A u \in StreamUnits(arr) :
                      Answers(u, e) /\ store[u][a] = Nothing
                /\ store' = [store EXCEPT ![HolesUnit(arr, a)][a] = Hole(e)]
        /\ tokens' = {t \in tokens : t[1] /= a}
        /\ UNCHANGED <<layouts, installed, out, forgotten, trimmed,
                       sequencer, looked, seen>>

\* AppendBatch.writeStep and ChainRepair.carry: all earlier registers hold it.
CarryOn(u, a) ==
    \E x \in Values(a) :
        LET e    == installed[u]
            path == Path(Arrangement(e, a), a, x)
        IN  /\ e >= x[2] /\ a >= trimmed
            /\ \E n \in 2 .. Len(path) :
                  /\ path[n] = u
                  /\ \A i \in 1 .. n - 1 : store[path[i]][a] = x
            /\ Write(u, a, x)
            /\ UNCHANGED <<layouts, installed, out, forgotten, trimmed,
                           sequencer, tokens, looked, returned, passed>>

\* Only without "R7": a writer whose entry the lost head had accepted continues
\* with the first remaining register.
OfferAgain(e, a) ==
    /\ ~Keeps("R7") /\ e \in Decided
    /\ Arrangement(e, a).log = <<>>
    /\ \E x \in Values(a) :
        LET u == Path(Arrangement(e, a), a, x)[1]
        IN  /\ x[1] = 1
            /\ Serves(u, e)
            /\ Write(u, a, x)
            /\ UNCHANGED <<layouts, installed, out, forgotten, trimmed,
                           sequencer, tokens, looked, returned, passed>>

(***************************************************************************)
(* Reading                                                                 *)
(***************************************************************************)

\* The unit on which a reader finds the entries of a stream.
Index(e, s, a) ==
    LET arr == Arrangement(e, a)
    IN  IF HasStreams(arr) THEN arr.streams[s] ELSE arr.log[1]

\* Whether address a, somewhere in a gap, will not be in stream s.
IsSettled(e, s, a) ==
    \/ a < trimmed
    \/ LET heads == Heads(e, a)
           some  == \E u \in heads : store[u][a] /= Nothing
           none  == \A u \in heads : ~In(store[u][a], s)
       IN  IF a >= layouts[e].floor
           THEN Keeps("gap") =>
                    none /\ some /\ \A u \in heads : Answers(u, e)
           ELSE Keeps("old gap") =>
                    none /\ \A u \in heads : Answers(u, e)

\* Continues from the previous entry to that at q, which is complete.
Pass(e, s, q) ==
    LET x      == store[Index(e, s, q)][q]
        before == {a \in Addresses : a < q /\ In(store[Index(e, s, a)][a], s)}
        p      == IF before = {} THEN -1 ELSE Highest(before)
        isDense == Place(x, s) =
            IF p = -1 THEN 0 ELSE Place(store[Index(e, s, p)][p], s) + 1
        skipped == {a \in p + 1 .. q - 1 : a >= trimmed}
    IN  /\ e \in Decided
        /\ q >= trimmed
        /\ In(x, s)
        /\ \A a \in 0 .. q : Answers(Index(e, s, a), e)
        /\ Keeps("roll forward by stream") => Complete(e, q, x)
        /\ isDense \/ \A a \in skipped : IsSettled(e, s, a)
        /\ passed' = [passed EXCEPT ![s] = @ \cup skipped]
        /\ returned' = IF Complete(e, q, x) THEN returned
                       ELSE returned \cup {<<q, x>>}
        /\ passed' /= passed \/ returned' /= returned
        /\ UNCHANGED <<layouts, unit, out, forgotten, trimmed, sequencer, tokens,
                       looked, broken>>

\* Only without "roll forward by address". A complete entry is in Known.
ReadTail(e, a) ==
    /\ ~Keeps("roll forward by address") /\ e \in Decided
    /\ Arrangement(e, a).log /= <<>>
    /\ LET log == Arrangement(e, a).log
           u   == log[Len(log)]
       IN  /\ a >= trimmed
           /\ Answers(u, e)
           /\ store[u][a] /= Nothing
           /\ <<a, store[u][a]>> \notin Known
           /\ returned' = returned \cup {<<a, store[u][a]>>}
    /\ UNCHANGED <<layouts, unit, out, forgotten, trimmed, sequencer, tokens,
                   looked, passed, broken>>

(***************************************************************************)
(* Rebuild                                                                 *)
(***************************************************************************)

\* Copies an entry that is complete in the old arrangement to a unit that has
\* it in the new one. Other entries are decided first, by Decide and CarryOn.
Copy(u, a) ==
    LET e   == installed[u]
        arr == Arrangement(e, a)
    IN  /\ e > 0 /\ a >= trimmed
        /\ a < layouts[e].start
        /\ u \notin UnitsOf(arr)
        /\ \E x \in Values(a) \cup {CopiedHole(e)} :
            /\ u \in Range(Path(layouts[e].new, a, x))
            /\ \/ Complete(e, a, x)
               \/ /\ ~Keeps("R7 once")
                  /\ x = CopiedHole(e) /\ arr.log = <<>>
                  /\ \A v \in StreamUnits(arr) : store[v][a] = Nothing
            /\ Write(u, a, x)
        /\ UNCHANGED <<layouts, installed, out, forgotten, trimmed,
                       sequencer, tokens, looked, returned, passed>>

(***************************************************************************)
(* Reconfiguration                                                         *)
(***************************************************************************)

\* Decides the next layout after these units were sealed. The log ends there,
\* or where the old sequencer says, if it answers. The new sequencer is told
\* only this end (Start). Sealed units learn of the layout at once, because
\* they would do nothing until then; the others learn it at any time.
Succeed(gone, sealed, start, old, new, end) ==
    LET e     == Newest
        named == UnitsOf(old) \cup UnitsOf(new)
        fresh == named \ Named(e)
    IN  \E floor \in {end, Max(end, sequencer.next)} :
        /\ layouts' = [layouts EXCEPT ![e + 1] =
               [floor |-> floor,
                start |-> CASE old = new       -> 0
                            [] start = Unknown -> floor
                            [] OTHER           -> start,
                old |-> old, new |-> new]]
        /\ sequencer' = [next |-> floor,
                         ends |-> [s \in Streams |->
                             IF floor = 0 \/ ~Keeps("unknown") THEN 0
                             ELSE Unknown]]
        /\ installed' = [u \in Units |->
               IF u \in fresh \cup sealed THEN e + 1 ELSE installed[u]]
        /\ out' = out \cup gone
        /\ tokens' = IF Keeps("R2") THEN {} ELSE tokens \* nobody can use them
        /\ looked' = IF Keeps("floor") THEN {} ELSE looked
        /\ UNCHANGED <<store, forgotten, trimmed, seen>>

Spare == Lowest(Spares \ (out \cup Named(Newest)))

\* The log's end as sealed units of the newest layout know it.
End(u) ==
    LET now == layouts[Newest]
        tails == {EndOf(v) : v \in StreamUnits(now.new)}
    IN  Max(now.start,
            IF Keeps("R6") \/ tails = {} THEN EndOf(u) ELSE Highest(tails))

\* Units that would have to be sealed, but are not, leave; it is unknown
\* whether they are lost.
Leaving ==
    LET arr == layouts[Newest].new
    IN  IF Cardinality(out) = Losses \/ ~IsWhole(Newest) THEN {}
        ELSE (IF "log" \in Mortal THEN Range(arr.log) ELSE {})
             \cup (IF "stream" \in Mortal THEN StreamUnits(arr) ELSE {})

\* With the same arrangement.
Renew ==
    LET now  == layouts[Newest]
        head == now.new.log[1]
    IN  /\ Newest < LastEpoch
        /\ Succeed({}, {head}, now.start, now.old, now.new, End(head))

\* Without a unit of the log chain.
Shorten(u) ==
    LET arr  == layouts[Newest].new
        rest == SelectSeq(arr.log, LAMBDA v : v /= u)
        less == [arr EXCEPT !.log = rest]
    IN  /\ Newest < LastEpoch /\ u \in Leaving
        /\ rest /= arr.log /\ rest /= <<>>
        /\ Succeed({u}, Range(rest), 0, less, less, End(rest[1]))

\* Without the only unit of the log chain.
GoOnFromStreams(u) ==
    LET arr == layouts[Newest].new
    IN  /\ Newest < LastEpoch /\ u \in Leaving
        /\ arr.log = <<u>>
        /\ \E sealed \in (IF Keeps("seal streams") THEN {StreamUnits(arr)}
                         ELSE SUBSET StreamUnits(arr) \ {{}}) :
              Succeed({u}, sealed, Unknown,
                      [arr EXCEPT !.log = <<>>],
                      [arr EXCEPT !.log = <<Spare>>],
                      IF Keeps("R6 lost")
                      THEN Highest({EndOf(v) : v \in sealed})
                      ELSE trimmed)

\* Without the replica of a stream.
GoOnFromLog(u) ==
    LET arr  == layouts[Newest].new
        none == [s \in Streams |-> 0]
        mend == [s \in Streams |-> IF arr.streams[s] = u THEN Spare
                                   ELSE arr.streams[s]]
    IN  /\ Newest < LastEpoch /\ u \in Leaving
        /\ u \in StreamUnits(arr)
        /\ Succeed({u},
                   IF Keeps("seal parts") THEN UnitsOf(arr) \ {u}
                   ELSE Range(arr.log),
                   Unknown,
                   [arr EXCEPT !.streams = none], [arr EXCEPT !.streams = mend],
                   End(arr.log[1]))

\* Reconfiguration.finish: everything was copied, so the target becomes the
\* arrangement. Joining units were sealed, and the head, too.
Finish ==
    LET now == layouts[Newest]
        arr == now.new
        joins == UnitsOf(now.new) \ UnitsOf(now.old)
        IsCopied(a) ==
            \/ a < trimmed
            \/ \E x \in Values(a) :
                  Complete(Newest, a, x) /\ HasAll(Path(now.new, a, x), a, x)
            \/ /\ ~Keeps("R7 once")
               /\ store[arr.log[1]][a] = CopiedHole(Newest)
    IN  /\ Newest < LastEpoch
        /\ ~IsWhole(Newest)
        /\ \A a \in Addresses : a < now.start => IsCopied(a)
        /\ Succeed({}, joins \cup {arr.log[1]}, 0, arr, arr, End(arr.log[1]))

(***************************************************************************)
(* The whole system                                                        *)
(***************************************************************************)

Init ==
    LET first == [log |-> [i \in LogUnits |-> i],
                  streams |-> [s \in Streams |-> StreamUnit(s)]]
    IN
    /\ layouts = [e \in Epochs |->
          IF e > 1 THEN NoLayout
          ELSE [floor |-> 0, start |-> 0, old |-> first, new |-> first]]
    /\ installed = [u \in Units |-> IF u \in Spares THEN 0 ELSE 1]
    /\ out = {}
    /\ store = [u \in Units |-> [a \in Addresses |-> Nothing]]
    /\ forgotten = [u \in Units |-> 0]
    /\ trimmed = 0
    /\ sequencer = [next |-> 0, ends |-> [s \in Streams |-> 0]]
    /\ tokens = {} /\ looked = {}
    /\ returned = {} /\ passed = [s \in Streams |-> {}] /\ broken = {}

Next ==
    \/ Renew \/ Finish \/ Trim
    \/ \E u \in Units :
          \/ Install(u) \/ Forget(u)
          \/ Shorten(u) \/ GoOnFromStreams(u) \/ GoOnFromLog(u)
          \/ \E a \in Addresses : CarryOn(u, a) \/ Copy(u, a)
    \/ \E s \in Streams : EndsBelow(s) \/ Admit(s)
    \/ \E wish \in Wishes : NextInStreams(wish)
    \/ \E e \in Epochs, a \in Addresses :
          \/ WriteHead(e, a) \/ Decide(e, a)
          \/ OfferAgain(e, a) \/ ReadTail(e, a)
          \/ \E s \in Streams : Pass(e, s, a)

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* Invariants (docs/design.md, section 8)                                  *)
(***************************************************************************)

I1_WriteOnce == \A p, q \in Known : p[1] = q[1] => p[2] = q[2]

\* One more unit may be lost, as long as all is whole.
I2_Durability ==
    \A p \in Known : p[1] >= trimmed =>
        LET path    == Path(Arrangement(Newest, p[1]), p[1], p[2])
            holders == {u \in Range(path) \ out : store[u][p[1]] = p[2]}
        IN  Cardinality(holders) >= IF IsWhole(Newest) THEN 2 ELSE 1

\* A written prefix with one value, an unwritten suffix.
I3_Chain ==
    \A a \in trimmed .. LastAddress :
        LET arr  == Arrangement(Newest, a)
            held == {store[u][a] : u \in UnitsOf(arr)} \ {Nothing}
        IN  /\ Cardinality(held) <= 1
            /\ \A x \in held :
                  LET path == Path(arr, a, x)
                  IN  \A i, j \in DOMAIN path :
                         i < j /\ store[path[j]][a] = x
                            => store[path[i]][a] = x

\* An entry that a head accepted under an older epoch was counted when that
\* epoch was sealed.
I4_Epochs ==
    \A e \in Decided : \A a \in layouts[e].floor .. LastAddress :
        \A u \in Heads(Newest, a) :
            store[u][a] = Nothing \/ store[u][a][2] >= e

I5_OneLayout == [][\A e \in Decided : layouts'[e] = layouts[e]]_vars

\* A reader of an address or a stream, under any layout, sees all entries that
\* were acknowledged, or read in the log or any of their streams.
I6_AllOrNothing ==
    \A p \in Known : p[1] >= trimmed =>
        /\ HasAll(Path(Arrangement(Newest, p[1]), p[1], p[2]), p[1], p[2])
        /\ \A u \in Units \ out :
              installed[u] > 0
              /\ u \in Range(Path(Arrangement(installed[u], p[1]), p[1], p[2]))
                 => store[u][p[1]] = p[2]

\* The order of a stream is that of the log, and no place in it is issued
\* twice.
I6_OneOrder ==
    \A p, q \in Known : \A s \in Streams :
        In(p[2], s) /\ In(q[2], s) /\ p[1] < q[1]
            => Place(p[2], s) < Place(q[2], s)

\* No entry appears before one that was read.
I6_NothingInFront ==
    \A p \in Known : \A s \in Streams : In(p[2], s) => p[1] \notin passed[s]

\* A bound for a sequencer that does not know a stream.
StreamAddress_NotAboveLogAddress ==
    \A t \in tokens : \A s \in Streams : Place(t[2], s) <= t[1]

\* The code's own checks never fail.
No_Alarm == broken = {}
=============================================================================
