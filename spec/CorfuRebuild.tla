---------------------------- MODULE CorfuRebuild ----------------------------
(***************************************************************************)
(* How a log unit joins (decision 8): from the tail on, or as a target,    *)
(* to which everything is copied first. Units are dropped, return with     *)
(* their old entries, lose their disks, and are reset. Meanwhile clients   *)
(* write, fill, read and trim, under the layout that they know.            *)
(*                                                                         *)
(* An action has the name of the method that implements it.                *)
(*                                                                         *)
(*   ChainRepair      Decide  Look  Carry   ReadBatch  ReadTail            *)
(*   Trimmer          Trim, which is ChainRepair.trimOn, too               *)
(*   Rebuild          CopyRead  CopyWrite  Skip                            *)
(*   Reconfiguration  Seal  SealSequencer  Renew  CloseLost                *)
(*   sequencer        Issue                                                *)
(*   log unit         Install  Reset  LoseDisk                             *)
(*                                                                         *)
(* There are no processes. All answers are in sets that only grow, and     *)
(* every action relies on these sets. So the model stands for any number   *)
(* of clients, rebuilds and reconfigurations at the same time, each of     *)
(* which may stop for ever, or continue late under an old layout. A Reset  *)
(* or Install may arrive at any time, however old. So might a Seal, but an *)
(* old one only stops a unit from serving unnecessarily.                   *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, Sequences

CONSTANTS
    Replicas,       \* length of the first chain
    Spares,         \* units that no layout names at first
    LastAddress,
    LastEpoch,
    Busy,           \* addresses that clients use
    Leaving,        \* units that may count as dead
    Losses,         \* number of lost disks
    Resets,         \* number of resets
    FirstTarget,    \* whether the first spare is a target in the first layout
    Tokens,         \* whether sequencers issue the addresses; otherwise all
                    \* are issued at the start
    Without         \* names of left-out rules: the model must fail

Units     == 1 .. Replicas + Spares
Addresses == 0 .. LastAddress
Epochs    == 1 .. LastEpoch

RuleNames ==
    { "served incarnation", \* a unit serves a layout that names its
                            \* incarnation
      "sealed incarnation", \* only then does its seal count
      "reset",              \* a spare is reset before it is used
      "late reset",         \* a reset is for a spare of the epoch that the
                            \* unit serves
      "joins again",        \* a unit of a layout joins another segment only if
                            \* it is in the open one
      "empty or target",    \* a unit joins from the tail on, or as a target
      "trim target",        \* trims go to targets, too
      "trimmed everywhere", \* a client that finds an address trimmed trims it
                            \* on all its replicas and targets before it
                            \* reports the trim
      "copy epoch",         \* a copied entry was read in the epoch of the copy
      "compare",            \* an entry of a target counts as copied only if
                            \* the serving tail holds it
      "every layout",       \* or if it was copied, and the unit was a target
                            \* in every layout since
      "undecided",          \* an entry that the tail does not hold is decided
                            \* first
      "seal target",        \* a target is sealed before it becomes the
                            \* arrangement
      "seal chain",         \* a unit whose chain changes is sealed, or leaves
      "count",              \* a chain without a reachable unit is closed where
                            \* the epoch's sealed sequencer has stopped
      "issued",             \* clients write and trim only addresses known to
                            \* be issued
      "holds on",           \* a unit that is sealed for all requests but reads
                            \* shows no entry that a later layout gives to
                            \* others
      "leases"              \* a unit that was not sealed, and whose part has
                            \* changed, answers no more reads
    }
ASSUME Without \subseteq RuleNames

Keeps(rule) == rule \notin Without

VARIABLES
    layouts,    \* of each epoch: [chain, target, incarnation], or NoLayout
    installed,  \* of each log unit: the epoch of its installed layout
    sealed,     \* of each log unit: it refuses all epochs up to this one
    incarnation,
    store,      \* of each log unit: the content of each address
    resets,     \* number of resets
    losses,     \* number of lost disks
    issued,     \* of each epoch: its sequencer has issued all addresses below
                \* this
    counted,    \* epochs whose sequencers were sealed, and have told it
    \* Answers:
    seals,      \* [epoch, unit, incarnation, next]
    cleared,    \* <<epoch, unit>>: reset
    wrote,      \* <<epoch, address, entry, n, late>>: the first n replicas
                \* hold it; late: the head was asked after a client had learned
                \* that the address is trimmed
    trims,      \* <<epoch, address, n>>: the first n of TrimPath have trimmed
                \* it
    found,      \* <<epoch, address, entry>>: a rebuild read it at the tail
    copied,     \* <<epoch, unit, incarnation, address>>
    \* History, for the invariants:
    known,      \* <<address, entry>>: acknowledged, or read
    gone,       \* addresses reported to a client as trimmed
    lost,       \* <<unit, incarnation>>: lost while it served, or after its
                \* seal
    broken      \* forbidden events that have happened

units    == <<installed, sealed, incarnation, store>>
answers  == <<seals, cleared, wrote, trims, found, copied>>
history  == <<known, gone, lost, broken>>
sequencers == <<issued, counted>>
vars     == <<layouts, units, resets, losses, sequencers, answers, history>>

(***************************************************************************)
(* Values                                                                  *)
(***************************************************************************)

Nothing == 0   \* an entry is the epoch in which it was first accepted
Trimmed == -1

NoChain  == <<>>
NoLayout ==
    LET none == [a \in Addresses |-> NoChain]
    IN  [chain |-> none, target |-> none, incarnation |-> [u \in Units |-> 0]]

Range(s)         == {s[i] : i \in DOMAIN s}
Last(chain)      == chain[Len(chain)]
Less(chain, out) == SelectSeq(chain, LAMBDA u : u \notin out)

Decided == {e \in Epochs : layouts[e] /= NoLayout}
Newest  == CHOOSE e \in Decided : \A d \in Decided : e >= d

Chain(e, a)  == layouts[e].chain[a]
Target(e, a) == layouts[e].target[a]
Joining(e, a) == Range(Target(e, a)) \ Range(Chain(e, a))

NamedIn(layout) ==
    UNION {Range(layout.chain[a]) \cup Range(layout.target[a]) : a \in Addresses}
Named(e) == NamedIn(layouts[e])

\* The last address stands for the open segment while it has no target.
\* Segments with equal arrangements are merged.
Open(e) == Chain(e, LastAddress)
OpenStart(e) ==
    LET IsOpen(a) == Chain(e, a) = Open(e) /\ Target(e, a) = NoChain
    IN  CHOOSE s \in 0 .. LastAddress + 1 :
            /\ \A a \in s .. LastAddress : IsOpen(a)
            /\ s > 0 => ~IsOpen(s - 1)

\* The serving replicas in their order, then the targets.
TrimPath(e, a) ==
    IF Keeps("trim target")
    THEN Chain(e, a) \o Less(Target(e, a), Range(Chain(e, a)))
    ELSE Chain(e, a)

EndOf(u) ==
    LET held == {a \in Addresses : store[u][a] /= Nothing}
    IN  IF held = {} THEN 0 ELSE 1 + CHOOSE a \in held : \A b \in held : a >= b

Highest(S) == CHOOSE n \in S : \A m \in S : n >= m

\* The addresses that a client knows to be issued: by its layout's sequencer,
\* or earlier ones.
KnownIssued(e, a) ==
    Keeps("issued") => a < Highest({issued[d] : d \in 1 .. e})

(***************************************************************************)
(* Sequencers                                                              *)
(***************************************************************************)

\* An unsealed sequencer continues, in any epoch.
Issue(e) ==
    /\ Tokens
    /\ e \in Decided \ counted
    /\ issued[e] <= LastAddress
    /\ issued' = [issued EXCEPT ![e] = @ + 1]
    /\ UNCHANGED <<layouts, units, resets, losses, counted, answers, history>>

\* For the next layout, which need not follow.
SealSequencer ==
    /\ Tokens
    /\ Newest < LastEpoch /\ Newest \notin counted
    /\ counted' = counted \cup {Newest}
    /\ UNCHANGED <<layouts, units, resets, losses, issued, answers, history>>

(***************************************************************************)
(* Log units                                                               *)
(***************************************************************************)

IsMeant(u, e) ==
    /\ u \in Named(e)
    /\ Keeps("served incarnation") => layouts[e].incarnation[u] = incarnation[u]

Serves(u, e) ==
    e \in Decided /\ installed[u] = e /\ sealed[u] < e /\ IsMeant(u, e)

\* I4: a seal that this incarnation has answered binds it.
Alarms(u, e, other) ==
    broken' = broken
        \cup (IF \E m \in seals : /\ m.unit = u /\ m.epoch >= e
                                  /\ m.incarnation = incarnation[u]
              THEN {"accepted under a sealed epoch"} ELSE {})
        \cup other

\* LogUnit.install. A spare serves nothing, but learns the epoch.
Install(u) ==
    \E e \in Decided :
        /\ e > installed[u] /\ e > sealed[u]
        /\ u \in Named(e) => IsMeant(u, e)
        /\ installed' = [installed EXCEPT ![u] = e]
        /\ UNCHANGED <<layouts, sealed, incarnation, store, resets, losses,
                       answers, history>>

\* LogUnit.reset: of the epoch that the unit serves, if its layout does not
\* name it.
Reset(u) ==
    \E e \in Decided :
        /\ resets < Resets
        /\ u \notin Named(e)
        /\ Keeps("late reset") => installed[u] = e /\ sealed[u] < e
        /\ installed[u] >= e
        /\ resets' = resets + 1
        /\ incarnation' = [incarnation EXCEPT ![u] = @ + 1]
        /\ store' = [store EXCEPT ![u] = [a \in Addresses |-> Nothing]]
        /\ cleared' = cleared \cup {<<e, u>>}
        /\ UNCHANGED <<layouts, installed, sealed, losses, seals, wrote, trims,
                       found, copied, history>>

\* A unit gets an empty disk: it knows nothing, and draws another incarnation.
LoseDisk(u) ==
    /\ losses < Losses
    /\ losses' = losses + 1
    /\ installed' = [installed EXCEPT ![u] = 0]
    /\ sealed' = [sealed EXCEPT ![u] = 0]
    /\ incarnation' = [incarnation EXCEPT ![u] = @ + 1]
    /\ store' = [store EXCEPT ![u] = [a \in Addresses |-> Nothing]]
    /\ lost' = IF \/ \E a \in Addresses : u \in Range(Chain(Newest, a))
                  \/ \E m \in seals : /\ m.unit = u /\ m.epoch = Newest
                                      /\ m.incarnation = incarnation[u]
               THEN lost \cup {<<u, incarnation[u]>>} ELSE lost
    /\ UNCHANGED <<layouts, resets, answers, known, gone, broken>>

Put(u, a, entry) ==
    store' = IF store[u][a] = Nothing THEN [store EXCEPT ![u][a] = entry]
             ELSE store

(***************************************************************************)
(* Clients: appends, fills and completions                                 *)
(***************************************************************************)

Part(layout, u) ==
    {<<a, layout.chain[a]>> : a \in
        {b \in Addresses : u \in Range(layout.chain[b])}}

\* See CorfuLeases: a proposer waits for units that were not sealed.
MayAnswer(u, e) ==
    Keeps("leases") =>
        \A d \in Decided : d > e => Part(layouts[d], u) = Part(layouts[e], u)

\* LogUnit, sealed for all requests but reads: shows entries. A unit that loses
\* an address by the next layout is also sealed for reads before the decision,
\* or has no lease then. In the model it may show its entries until then, also
\* at other addresses.
Shows(u, e, a) ==
    /\ e \in Decided /\ installed[u] = e /\ sealed[u] = e /\ IsMeant(u, e)
    /\ store[u][a] \notin {Nothing, Trimmed}
    /\ Keeps("holds on") => \A d \in Decided : d > e => u \in Range(TrimPath(d, a))

\* This many replicas hold the entry; when all do, it is known.
Has(u, e, a, entry, n, late) ==
    LET all == n = Len(Chain(e, a))
    IN  /\ wrote' = wrote \cup {<<e, a, entry, n, late>>}
        /\ known' = IF all THEN known \cup {<<a, entry>>} ELSE known
        /\ Alarms(u, e, IF all /\ late THEN {"returned after it was trimmed"}
                       ELSE {})

\* Offers an entry or a hole to the head, and continues with the head's entry.
Decide(e, a) ==
    LET u    == Head(Chain(e, a))
        kept == IF store[u][a] = Nothing THEN e ELSE store[u][a]
        late == a \in gone
    IN  /\ Serves(u, e)
        /\ KnownIssued(e, a)
        /\ kept /= Trimmed
        /\ store[u][a] /= Nothing => MayAnswer(u, e)
        /\ <<e, a, kept, 1, late>> \notin wrote
        /\ Put(u, a, kept)
        /\ Has(u, e, a, kept, 1, late)
        /\ UNCHANGED <<layouts, installed, sealed, incarnation, resets, losses,
                       seals, cleared, trims, found, copied, gone, lost>>

\* The head is only asked for its entry.
Look(e, a) ==
    LET u    == Head(Chain(e, a))
        kept == store[u][a]
        late == a \in gone
        all  == Len(Chain(e, a)) = 1
    IN  /\ Shows(u, e, a)
        /\ <<e, a, kept, 1, late>> \notin wrote
        /\ wrote' = wrote \cup {<<e, a, kept, 1, late>>}
        /\ known' = IF all THEN known \cup {<<a, kept>>} ELSE known
        /\ broken' = IF all /\ late
                     THEN broken \cup {"returned after it was trimmed"} ELSE broken
        /\ UNCHANGED <<layouts, units, resets, losses, seals, cleared, trims,
                       found, copied, gone, lost>>

Carry(e, a) ==
    \E w \in wrote :
        LET n == w[4] + 1
            u == Chain(e, a)[n]
        IN  /\ w[1] = e /\ w[2] = a /\ n <= Len(Chain(e, a))
            /\ <<e, a, w[3], n, w[5]>> \notin wrote
            /\ Serves(u, e)
            /\ store[u][a] /= Trimmed
            /\ IF store[u][a] \in {Nothing, w[3]}
               THEN /\ Put(u, a, w[3])
                    /\ Has(u, e, a, w[3], n, w[5])
               ELSE /\ Alarms(u, e, {"alarm of a completion"})
                    /\ UNCHANGED <<store, wrote, known>>
            /\ UNCHANGED <<layouts, installed, sealed, incarnation, resets,
                           losses, seals, cleared, trims, found, copied, gone,
                           lost>>

(***************************************************************************)
(* Clients: reads and trims                                                *)
(***************************************************************************)

ReadTail(e, a) ==
    LET u == Last(Chain(e, a))
        held == store[u][a]
    IN  /\ (Serves(u, e) /\ MayAnswer(u, e)) \/ Shows(u, e, a)
        /\ IF held = Trimmed
           THEN /\ ~Keeps("trimmed everywhere")
                /\ a \notin gone
                /\ gone' = gone \cup {a}
                /\ UNCHANGED <<known, broken>>
           ELSE /\ held /= Nothing
                /\ <<a, held>> \notin known \/ a \in gone
                /\ known' = known \cup {<<a, held>>}
                /\ broken' = IF a \in gone
                             THEN broken \cup {"returned after it was trimmed"}
                             ELSE broken
                /\ UNCHANGED gone
        /\ UNCHANGED <<layouts, units, resets, losses, answers, lost>>

\* One unit after the other, by a client that trims, or one that has found the
\* address trimmed on a unit.
Trim(e, a) ==
    \E n \in 1 .. Len(TrimPath(e, a)) :
        LET u == TrimPath(e, a)[n]
        IN  /\ KnownIssued(e, a)
            /\ n = 1 \/ <<e, a, n - 1>> \in trims
            /\ <<e, a, n>> \notin trims
            /\ Serves(u, e)
            /\ store' = [store EXCEPT ![u][a] = Trimmed]
            /\ trims' = trims \cup {<<e, a, n>>}
            /\ gone' = IF n = Len(TrimPath(e, a)) THEN gone \cup {a} ELSE gone
            /\ Alarms(u, e, {})
            /\ UNCHANGED <<layouts, installed, sealed, incarnation, resets,
                           losses, seals, cleared, wrote, found, copied, known,
                           lost>>

(***************************************************************************)
(* Rebuild                                                                 *)
(***************************************************************************)

\* Reads the entry of the serving tail. An address trimmed there is trimmed
\* everywhere: see Copied. An entry that the tail does not hold is decided
\* first, as clients do.
CopyRead(e, a) ==
    LET u == Last(Chain(e, a))
    IN  /\ Keeps("copy epoch") => Joining(e, a) /= {}
        /\ Serves(u, e) \/ Shows(u, e, a)
        /\ store[u][a] /= Trimmed
        /\ Keeps("undecided") => store[u][a] /= Nothing
        /\ <<e, a, store[u][a]>> \notin found
        /\ found' = found \cup {<<e, a, store[u][a]>>}
        /\ UNCHANGED <<layouts, units, resets, losses, seals, cleared, wrote,
                       trims, copied, history>>

CopyWrite(e, a, t) ==
    /\ t \in Joining(e, a)
    /\ <<e, t, incarnation[t], a>> \notin copied
    /\ \E f \in found :
        /\ f[2] = a
        /\ IF Keeps("copy epoch") THEN f[1] = e ELSE f[1] <= e
        /\ Serves(t, e)
        /\ IF store[t][a] \in {Nothing, Trimmed, f[3]} \/ f[3] = Nothing
           THEN /\ Put(t, a, f[3])
                /\ Alarms(t, e, {})
                /\ copied' = copied \cup {<<e, t, incarnation[t], a>>}
           ELSE /\ Alarms(t, e, {"alarm of a rebuild"})
                /\ UNCHANGED <<store, copied>>
        /\ UNCHANGED <<layouts, installed, sealed, incarnation, resets, losses,
                       seals, cleared, wrote, trims, found, known, gone, lost>>

\* Only without "compare": the unit is asked which entry it holds.
Skip(e, a, t) ==
    /\ ~Keeps("compare")
    /\ t \in Joining(e, a)
    /\ Serves(t, e)
    /\ store[t][a] /= Nothing
    /\ <<e, t, incarnation[t], a>> \notin copied
    /\ copied' = copied \cup {<<e, t, incarnation[t], a>>}
    /\ UNCHANGED <<layouts, units, resets, losses, seals, cleared, wrote, trims,
                   found, history>>

\* Unit t has everything that it needs to be a replica of a behind epoch e.
Copied(e, t, a) ==
    \E d \in 1 .. e :
        /\ \/ <<d, t, layouts[e].incarnation[t], a>> \in copied
           \/ /\ <<d, a, Len(TrimPath(d, a))>> \in trims
              /\ layouts[d].incarnation[t] = layouts[e].incarnation[t]
              /\ t \in Range(TrimPath(d, a))
        /\ Keeps("every layout") => \A b \in d .. e : t \in Joining(b, a)

(***************************************************************************)
(* Reconfiguration                                                         *)
(***************************************************************************)

\* LogUnit.seal, refused if a later layout is installed. A sealed unit is
\* sealed again only with another incarnation.
Seal(u) ==
    LET e == Newest
        answer == [epoch |-> e, unit |-> u, incarnation |-> incarnation[u],
                   next |-> EndOf(u)]
    IN  /\ e < LastEpoch
        /\ installed[u] <= e
        /\ answer \notin seals
        /\ sealed' = [sealed EXCEPT ![u] = e]
        /\ seals' = seals \cup {answer}
        /\ UNCHANGED <<layouts, installed, incarnation, store, resets, losses,
                       cleared, wrote, trims, found, copied, history>>

\* Targets that unit u may join, along with at most one of the others.
TargetsWith(u, others) ==
    {<<u>>} \cup UNION {{<<u, o>>, <<o, u>>} : o \in others}

\* The newest answer of each remaining unit, if it counts.
Answers(e, out) ==
    {m \in seals :
        /\ m.epoch = e /\ m.unit \notin out
        /\ \A n \in seals : n.epoch = e /\ n.unit = m.unit =>
              n.incarnation <= m.incarnation
        /\ \/ ~Keeps("sealed incarnation")
           \/ m.unit \notin Named(e)
           \/ m.incarnation = layouts[e].incarnation[m.unit]}

\* The layout behind epoch e of a process that removes these units, and has
\* `join` join from the tail on. Targets are kept ("keep"), dropped ("none"),
\* made the arrangement ("switch"), or this one is started.
Proposal(e, out, join, tail, targets, started) ==
    LET old == layouts[e]
        left(a) == Less(old.chain[a], out)
        base == [a \in Addresses |->
                    CASE targets = "switch" /\ old.target[a] /= NoChain ->
                           Less(old.target[a], out)
                      [] left(a) = NoChain /\ a < LastAddress -> old.chain[a]
                      [] OTHER -> left(a)]
    IN
    [base |-> base,
     chain |-> [a \in Addresses |->
         IF join /= 0 /\ join \notin Range(base[a])
            /\ (a >= tail \/ ~Keeps("empty or target"))
         THEN Append(base[a], join) ELSE base[a]],
     target |-> [a \in Addresses |->
         CASE targets = "keep" /\ Joining(e, a) \ out /= {} ->
                Less(old.target[a], out)
           [] targets = "start" /\ a < tail /\ join \notin Range(base[a]) ->
                Less(started, out)
           [] OTHER -> NoChain]]

\* The units to seal before layout p may follow that of epoch e.
Concerned(e, p) ==
    {u \in Named(e) :
        \E a \in Addresses :
            LET serves == u \in Range(Chain(e, a))
                chain  == p.chain[a] /= Chain(e, a)
                target == p.target[a] /= Target(e, a)
            IN  \/ serves /\ chain /\ Keeps("seal chain")
                \/ u \in Joining(e, a) /\ (chain \/ target)
                      /\ Keeps("seal target")}

\* LayoutDecision.decide is one step.
Propose(e, good, out, join, targets, started) ==
    LET ends  == {m.next : m \in {n \in good : n.unit \in Named(e)}}
                 \cup (IF Tokens /\ e \in counted THEN {issued[e]} ELSE {})
        tail  == CHOOSE n \in ends \cup {OpenStart(e)} :
                    n >= OpenStart(e) /\ \A o \in ends : o <= n
        p     == Proposal(e, out, join, tail, targets, started)
        named == NamedIn(p)
        Good(u) == \E m \in good : m.unit = u
        Says(u) == (CHOOSE m \in good : m.unit = u).incarnation
    IN  /\ \A a \in Addresses : p.base[a] /= NoChain
        /\ [chain |-> p.chain, target |-> p.target]
              /= [chain |-> layouts[e].chain, target |-> layouts[e].target]
        /\ \A u \in (Concerned(e, p) \cap named) \ out : Good(u)
        /\ layouts' = [layouts EXCEPT ![e + 1] =
              [chain |-> p.chain, target |-> p.target,
               incarnation |-> [u \in Units |->
                  CASE u \notin named -> 0
                    [] u \notin Named(e) -> Says(u)
                    [] ~Keeps("sealed incarnation") /\ Good(u) -> Says(u)
                    [] OTHER -> layouts[e].incarnation[u]]]]
        /\ issued' = IF Tokens THEN [issued EXCEPT ![e + 1] = tail] ELSE issued
        /\ UNCHANGED <<units, resets, losses, counted, answers, history>>

\* Units that have to be sealed, but were not, leave. But a closed segment
\* keeps a chain without remaining units.
Renew ==
    LET e == Newest
    IN
    /\ e < LastEpoch
    /\ \E out \in SUBSET (Named(e) \cap Leaving) :
        LET good    == Answers(e, out)
            answering == {m.unit : m \in good}
            spares  == {u \in answering \ Named(e) :
                           Keeps("reset") => <<e, u>> \in cleared}
            partly  == {u \in answering \cap Named(e) :
                           /\ \E a \in Addresses : u \notin Range(Chain(e, a))
                           /\ Keeps("joins again") => u \in Range(Open(e))}
        IN
        /\ good /= {}
        /\ IF \A a \in Addresses : Target(e, a) = NoChain
           THEN \/ \E join \in spares \cup {0} :
                     Propose(e, good, out, join, "none", NoChain)
                \/ \E join \in spares \cup partly :
                  \E started \in TargetsWith(join, Named(e) \ (out \cup {join})) :
                     Propose(e, good, out, join, "start", started)
           ELSE \/ \E join \in spares \cup {0} : \E t \in {"none", "keep"} :
                     Propose(e, good, out, join, t, NoChain)
                \/ /\ \A a \in Addresses : \A t \in Joining(e, a) \ out :
                          Copied(e, t, a)
                   /\ Propose(e, good, out, 0, "switch", NoChain)

\* No unit of the open chain is reachable. None was sealed, but no client
\* writes behind the addresses that the sequencer has issued: the next segment
\* begins there.
CloseLost ==
    LET e   == Newest
        out == Range(Open(e))
        end == IF Keeps("count") THEN issued[e] ELSE OpenStart(e)
        Chosen(join) ==
            [a \in Addresses |->
                CASE a >= end -> <<join>>
                  [] Less(Chain(e, a), out) = NoChain -> Chain(e, a)
                  [] OTHER -> Less(Chain(e, a), out)]
        good == Answers(e, out)
    IN
    /\ Tokens
    /\ e < LastEpoch
    /\ Keeps("count") => e \in counted
    /\ end \in OpenStart(e) .. LastAddress
    /\ out \subseteq Leaving
    /\ \A a \in Addresses : Target(e, a) = NoChain
    /\ \E m \in good :
        LET p == [chain |-> Chosen(m.unit),
                  target |-> [a \in Addresses |-> NoChain]]
        IN
        /\ m.unit \notin Named(e)
        /\ Keeps("reset") => <<e, m.unit>> \in cleared
        /\ \A u \in (Concerned(e, p) \cap NamedIn(p)) \ out :
              \E n \in good : n.unit = u
        /\ layouts' = [layouts EXCEPT ![e + 1] =
              [chain |-> p.chain, target |-> p.target,
               incarnation |-> [u \in Units |->
                  CASE u \notin NamedIn(p) -> 0
                    [] u = m.unit -> m.incarnation
                    [] OTHER -> layouts[e].incarnation[u]]]]
        /\ issued' = [issued EXCEPT ![e + 1] = end]
        /\ UNCHANGED <<units, resets, losses, counted, answers, history>>

(***************************************************************************)
(* The whole system                                                        *)
(***************************************************************************)

\* A spare has left the layout long ago, and holds uncounted entries.
Stale == 1 + LastEpoch

Init ==
    LET first  == [i \in 1 .. Replicas |-> i]
        joined == Append(first, Replicas + 1)
        named  == IF FirstTarget THEN Range(joined) ELSE Range(first)
    IN
    /\ layouts = [e \in Epochs |->
          IF e > 1 THEN NoLayout
          ELSE [chain |-> [a \in Addresses |->
                              IF FirstTarget /\ a > 0 THEN joined ELSE first],
                target |-> [a \in Addresses |->
                               IF FirstTarget /\ a = 0 THEN joined ELSE NoChain],
                incarnation |-> [u \in Units |-> IF u \in named THEN 1 ELSE 0]]]
    /\ installed = [u \in Units |-> IF u \in named THEN 1 ELSE 0]
    /\ sealed = [u \in Units |-> 0]
    /\ incarnation = [u \in Units |-> 1]
    /\ store = [u \in Units |-> [a \in Addresses |->
                   IF u \in named \/ a > 0 THEN Nothing ELSE Stale]]
    /\ resets = 0 /\ losses = 0
    /\ issued = [e \in Epochs |-> IF Tokens THEN 0 ELSE LastAddress + 1]
    /\ counted = {}
    /\ seals = {} /\ cleared = {} /\ wrote = {} /\ trims = {} /\ found = {}
    /\ copied = {}
    /\ known = {} /\ gone = {} /\ lost = {} /\ broken = {}

Next ==
    \/ Renew \/ CloseLost \/ SealSequencer \/ \E e \in Epochs : Issue(e)
    \/ /\ UNCHANGED sequencers
       /\ \/ \E u \in Units : Install(u) \/ Reset(u) \/ LoseDisk(u) \/ Seal(u)
          \/ \E e \in Epochs, a \in Busy :
                \/ Decide(e, a) \/ Look(e, a) \/ Carry(e, a) \/ ReadTail(e, a)
                \/ Trim(e, a)
                \/ CopyRead(e, a)
                \/ \E t \in Units : CopyWrite(e, a, t) \/ Skip(e, a, t)

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* Invariants (docs/design.md, section 8)                                  *)
(***************************************************************************)

\* The units that serve an address in the newest layout, except those that have
\* failed since.
Serving(a) ==
    {u \in Range(Chain(Newest, a)) :
        <<u, layouts[Newest].incarnation[u]>> \notin lost}

I1_WriteOnce ==
    /\ \A p, q \in known : p[1] = q[1] => p[2] = q[2]
    /\ "returned after it was trimmed" \notin broken

\* However many replicas fail, the others have it, or know that it is trimmed.
I2_Durability ==
    /\ \A p \in known : \A u \in Serving(p[1]) :
          store[u][p[1]] \in {p[2], Trimmed}
    /\ \A a \in gone : \A u \in Serving(a) : store[u][a] = Trimmed

\* A written prefix with one value, an unwritten suffix; any may be trimmed.
I3_Chain ==
    \A a \in Addresses :
        LET chain == Less(Chain(Newest, a), Range(Chain(Newest, a)) \ Serving(a))
        IN  \A i, j \in DOMAIN chain :
               i < j => \/ store[chain[j]][a] \in {Nothing, Trimmed}
                        \/ store[chain[i]][a] \in {store[chain[j]][a], Trimmed}

I4_Epochs == "accepted under a sealed epoch" \notin broken

\* The code's own checks never fail.
No_Alarm == broken \cap {"alarm of a completion", "alarm of a rebuild"} = {}
=============================================================================
