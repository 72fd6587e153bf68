------------------------------ MODULE CorfuLog ------------------------------
(***************************************************************************)
(* The log under reconfiguration: one chain of log units, one sequencer,   *)
(* clients that append and read, and processes that seal and decide        *)
(* layouts. All run at the same time, and each may stop at any point       *)
(* (docs/design.md, sections 4 to 6).                                     *)
(*                                                                         *)
(* An action has the name of the method in corfu.runtime that implements   *)
(* it. A step is one request at one server, including its answer.          *)
(*                                                                         *)
(*   AppendBatch      GiveTokens  WriteStep  WriteInDoubt  EnterEpoch      *)
(*                    Settle                                               *)
(*   SlowRead         Look          ReadBatch       ReadTail               *)
(*   ChainRepair      Decide  Carry  CompletionInDoubt                     *)
(*   Reconfiguration  SealBegins  SealUnit  SealSequencer  Renew           *)
(*                    StartSequencer                                       *)
(*   log unit         Install  Arrives                                     *)
(*                                                                         *)
(* A failed server or client takes no more steps, so failures need no      *)
(* actions. Only a sequencer's loss of state in a restart needs one. A     *)
(* request whose answer was lost stays in `flight` and may arrive at any   *)
(* later time. Paxos is one atomic step here, see CorfuPaxos.              *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Writers,        \* each appends one entry, with the writer's name
    Readers,        \* each reads any addresses, repeatedly
    Reconfigurers,
    Replicas,       \* length of the first chain
    LastAddress,
    LastEpoch,
    Restarts,       \* number of the sequencer's restarts
    Doubts,         \* number of lost answers to writes
    Without         \* names of left-out rules: the model must fail

Units     == 1 .. Replicas
Addresses == 0 .. LastAddress
Epochs    == 1 .. LastEpoch
Clients   == Writers \cup Readers

\* Numbered as in docs/design.md, section 4, if they are there. SpecTest leaves
\* out each.
RuleNames ==
    { "R1",         \* a reader completes an entry before it returns it
      "R2",         \* a new epoch uses no token of an older one, unless the
                    \* new head has its entry
      "settle",     \* nor does it drop one whose entry an old head may have
      "settle all", \* nor does it use one whose entry only a head has that
                    \* left
      "R3",         \* completing starts again from the head of the new layout
      "R6",         \* the sequencer starts behind all entries of all sealed
                    \* units
      "seal all",   \* a unit of the new layout is sealed if its chain changes;
                    \* the new head in any case
      "seals last", \* a unit remembers its seal
      "winner",     \* only the process whose proposal was decided starts the
                    \* sequencer
      "starts last" \* a Start is for the sealed life of the sequencer
    }
ASSUME Without \subseteq RuleNames

Keeps(rule) == rule \notin Without

VARIABLES
    layouts,       \* of each epoch: its chain, or {} while undecided (I5)
    served,        \* of each log unit: the epoch of its installed layout
    sealed,        \* of each log unit: it refuses all epochs up to this one
    store,         \* of each log unit: the content of each address
    sequencer,     \* [epoch, sealed, next]
    clients,       \* of each client: the epoch of its layout
    appends,       \* of each writer: its PendingAppend
    completions,   \* of each client: the entry that it carries to a chain's
                   \* end
    reconfigurers, \* [old, sealed, tail, life]
    flight,        \* writes whose sender no longer waits
    starts,        \* Start requests that no sequencer has received yet
    doubts,        \* number of lost answers
    restarts,
    \* History, for the invariants:
    acked,         \* acknowledged appends: <<address, entry>>
    returned,      \* returned reads: <<address, entry>>
    promised,      \* of each log unit: the highest seal that it has answered
    broken         \* forbidden events that have happened

log   == <<served, sealed, store, promised>>
doing == <<clients, appends, completions>>
world == <<doubts, restarts>>
seen  == <<acked, returned>>
vars  == <<layouts, log, sequencer, doing, reconfigurers, flight, starts,
           world, seen, broken>>

(***************************************************************************)
(* Values                                                                  *)
(***************************************************************************)

Nothing          == <<>>
Data(writer)     == <<"data", writer, 0>>
Hole(client, e)  == <<"hole", client, e>>  \* each decide() has an id of its
                                           \* own
IsData(entry)    == entry /= Nothing /\ entry[1] = "data"

NoAddress  == -1
NoAppend   == [address |-> NoAddress, token |-> 0, written |-> 0,
               accepted |-> FALSE, doubt |-> FALSE, done |-> FALSE]
NotCarrying == [address |-> NoAddress, entry |-> Nothing, written |-> 0]
Idle        == [old |-> 0, sealed |-> {}, tail |-> 0, life |-> -1]

Max(a, b) == IF a > b THEN a ELSE b

\* The replicas of a chain are in the order of their numbers; a chain only
\* shrinks.
Replica(chain, i) ==
    CHOOSE u \in chain : Cardinality({v \in chain : v < u}) = i
Head(chain) == CHOOSE u \in chain : \A v \in chain : u <= v
Tail(chain) == CHOOSE u \in chain : \A v \in chain : u >= v

Decided  == {e \in Epochs : layouts[e] /= {}}
Newest   == CHOOSE e \in Decided : \A d \in Decided : e >= d
Chain(c) == layouts[clients[c]]

\* A unit's answer to Seal: the address behind its last entry.
EndOf(u) ==
    LET held == {a \in Addresses : store[u][a] /= Nothing}
    IN  IF held = {} THEN 0 ELSE 1 + CHOOSE a \in held : \A b \in held : a >= b

(***************************************************************************)
(* Log units                                                               *)
(***************************************************************************)

\* Epochs.objection: only the epoch of the installed layout, unless it is
\* sealed.
Serves(u, e) == served[u] = e /\ sealed[u] < e

\* LogUnit.write by a unit that serves the epoch: the first write wins. Writes
\* in flight to the same address would lose, and are forgotten here.
Write(u, e, address, entry) ==
    /\ flight' = {m \in flight : m.unit /= u \/ m.address /= address}
    /\ store' = IF store[u][address] = Nothing
                THEN [store EXCEPT ![u][address] = entry]
                ELSE store
    /\ broken' = IF store[u][address] = Nothing /\ e <= promised[u]
                 THEN broken \cup {"accepted under a sealed epoch"}
                 ELSE broken
    /\ UNCHANGED <<served, sealed, promised>>

\* Requests that the unit will never serve any more: the model forgets them.
Refused(u, upTo) == {m \in flight : m.unit = u /\ m.epoch <= upTo}

\* LogUnit.install, by any process that meets a unit without the layout.
Install(u) ==
    \E e \in Decided :
        /\ u \in layouts[e]
        /\ e > served[u] /\ e > sealed[u]
        /\ served' = [served EXCEPT ![u] = e]
        /\ flight' = flight \ Refused(u, e - 1)
        /\ UNCHANGED <<layouts, sealed, store, promised, sequencer, doing,
                       reconfigurers, starts, world, seen, broken>>

\* A write arrives whose sender no longer waits for the answer.
Arrives ==
    \E m \in flight :
        /\ Serves(m.unit, m.epoch)
        /\ Write(m.unit, m.epoch, m.address, m.entry)
        /\ UNCHANGED <<layouts, sequencer, doing, reconfigurers, starts,
                       world, seen>>

\* Only without "seals last": a restarted unit serves its layout again.
ForgetSeal(u) ==
    /\ ~Keeps("seals last")
    /\ sealed[u] > 0
    /\ sealed' = [sealed EXCEPT ![u] = 0]
    /\ UNCHANGED <<layouts, served, store, promised, sequencer, doing,
                   reconfigurers, flight, starts, world, seen, broken>>

(***************************************************************************)
(* AppendBatch, of one append                                              *)
(***************************************************************************)

\* In a new epoch, an entry that a head has, or may have, must be settled
\* first.
MustSettle(w) ==
    /\ appends[w].address /= NoAddress
    /\ appends[w].token /= clients[w]
    /\ ~appends[w].done

GiveTokens(w) ==
    /\ ~appends[w].done /\ appends[w].address = NoAddress
    /\ sequencer.epoch = clients[w] /\ sequencer.sealed < clients[w]
    /\ sequencer.next <= LastAddress
    /\ sequencer' = [sequencer EXCEPT !.next = @ + 1]
    /\ appends' = [appends EXCEPT ![w] =
                      [NoAppend EXCEPT !.address = sequencer.next,
                                       !.token   = clients[w]]]
    /\ UNCHANGED <<layouts, log, clients, completions, reconfigurers, flight,
                   starts, world, seen, broken>>

\* PendingAppend.wrote: done when the last replica has the entry.
Advanced(append, chain) ==
    [append EXCEPT !.accepted = TRUE, !.doubt = FALSE, !.written = @ + 1,
                   !.done = (append.written + 1 = Cardinality(chain))]

\* writeStep and apply: one replica answers.
WriteStep(w) ==
    LET append == appends[w]
        u      == Replica(Chain(w), append.written)
        found  == store[u][append.address]
        ours   == found \in {Nothing, Data(w)}
        after  == IF ours THEN Advanced(append, Chain(w))
                  ELSE NoAppend
        \* Here the code throws "the chain property is broken".
        alarm  == /\ ~ours
                  /\ append.accepted
    IN  /\ append.address /= NoAddress /\ ~append.done /\ ~MustSettle(w)
        /\ Serves(u, clients[w])
        /\ IF ours
           THEN Write(u, clients[w], append.address, Data(w))
           ELSE /\ UNCHANGED <<log, flight>>
                /\ broken' = IF alarm THEN broken \cup {"alarm of a writer"}
                             ELSE broken
        /\ appends' = [appends EXCEPT ![w] = after]
        /\ acked' = IF after.done
                    THEN acked \cup {<<append.address, Data(w)>>} ELSE acked
        /\ UNCHANGED <<layouts, sequencer, clients, completions, reconfigurers,
                       starts, world, returned>>

\* The answer is lost: PendingAppend.doubt.
WriteInDoubt(w) ==
    LET append == appends[w]
        u      == Replica(Chain(w), append.written)
    IN  /\ append.address /= NoAddress /\ ~append.done /\ ~MustSettle(w)
        /\ doubts < Doubts
        /\ Serves(u, clients[w])
        /\ store[u][append.address] = Nothing
        /\ doubts' = doubts + 1
        /\ flight' = flight \cup {[unit |-> u, epoch |-> clients[w],
                                   address |-> append.address,
                                   entry |-> Data(w)]}
        /\ appends' = [appends EXCEPT ![w].doubt =
                          @ \/ (append.written = 0 /\ ~append.accepted)]
        /\ UNCHANGED <<layouts, log, sequencer, clients, completions,
                       reconfigurers, starts, restarts, seen, broken>>

\* A try ends at any time; the next one uses a newer layout.
EnteredEpoch(append, e) ==
    LET token == [append EXCEPT !.token = e]
    IN  CASE append.done \/ append.address = NoAddress -> append
          \* Wrong, without a rule:
          [] append.doubt /\ ~Keeps("R2")     -> token
          [] append.doubt /\ ~Keeps("settle") -> NoAppend
          [] append.accepted /\ ~Keeps("settle all") ->
               [token EXCEPT !.written = 0]
          [] append.accepted /\ ~Keeps("R3") ->
               [token EXCEPT !.done =
                   append.written >= Cardinality(layouts[e])]
          \* Correct:
          [] append.doubt \/ append.accepted -> append \* see MustSettle
          [] OTHER                           -> NoAppend

EnterEpoch(c) ==
    \E e \in Decided :
        /\ e > clients[c]
        /\ c \in Writers => ~appends[c].done
        /\ clients' = [clients EXCEPT ![c] = e]
        /\ completions' = [completions EXCEPT ![c] = NotCarrying]
        /\ IF c \in Writers
           THEN LET after == EnteredEpoch(appends[c], e)
                IN  /\ appends' = [appends EXCEPT ![c] = after]
                    /\ acked' = IF after.done
                                THEN acked \cup {<<after.address, Data(c)>>}
                                ELSE acked
           ELSE UNCHANGED <<appends, acked>>
        /\ UNCHANGED <<layouts, log, sequencer, reconfigurers, flight, starts,
                       world, returned, broken>>

(***************************************************************************)
(* ChainRepair, for a reader or for a writer that settles                  *)
(***************************************************************************)

\* The address is decided. A reader returns its entry; a writer sees whose
\* entry it is.
Holds(c, address, entry) ==
    IF c \in Readers
    THEN /\ returned' = returned \cup {<<address, entry>>}
         /\ UNCHANGED <<appends, acked>>
    ELSE /\ appends' = [appends EXCEPT ![c] =
                           IF entry = Data(c)
                           THEN [@ EXCEPT !.done = TRUE, !.doubt = FALSE,
                                          !.token = clients[c]]
                           ELSE NoAppend]
         /\ acked' = IF entry = Data(c)
                     THEN acked \cup {<<address, entry>>} ELSE acked
         /\ UNCHANGED returned

\* This many replicas have the entry; the last one completes the decision.
CarriedTo(c, address, entry, written) ==
    IF written = Cardinality(Chain(c))
    THEN /\ completions' = [completions EXCEPT ![c] = NotCarrying]
         /\ Holds(c, address, entry)
    ELSE /\ completions' = [completions EXCEPT ![c] =
                               [address |-> address, entry |-> entry,
                                written |-> written]]
         /\ UNCHANGED <<appends, acked, returned>>

\* Offers a hole to the head, and continues with the head's entry. decide()
\* reads the winner by a second request (carryOn). Because the head is
\* write-once, both requests are one step.
Decide(c, address) ==
    LET head == Head(Chain(c))
        hole == Hole(c, clients[c])
        kept == IF store[head][address] = Nothing THEN hole
                ELSE store[head][address]
    IN  /\ completions[c] = NotCarrying
        /\ Serves(head, clients[c])
        /\ Write(head, clients[c], address, hole)
        /\ CarriedTo(c, address, kept, 1)
        /\ UNCHANGED <<layouts, sequencer, clients, reconfigurers, starts,
                       world>>

Carry(c) ==
    LET carrying == completions[c]
        u        == Replica(Chain(c), carrying.written)
        found    == store[u][carrying.address]
    IN  /\ carrying.address /= NoAddress
        /\ Serves(u, clients[c])
        /\ IF found \in {Nothing, carrying.entry}
           THEN /\ Write(u, clients[c], carrying.address, carrying.entry)
                /\ CarriedTo(c, carrying.address, carrying.entry,
                             carrying.written + 1)
           ELSE /\ broken' = broken \cup {"alarm of a completion"}
                /\ UNCHANGED <<log, flight, completions, appends, seen>>
        /\ UNCHANGED <<layouts, sequencer, clients, reconfigurers, starts,
                       world>>

\* The answer to a hole, or to a copy, is lost: the try is over.
CompletionInDoubt(c, address) ==
    LET carrying == completions[c]
        u     == IF carrying.address = NoAddress THEN Head(Chain(c))
                 ELSE Replica(Chain(c), carrying.written)
        entry == IF carrying.address = NoAddress THEN Hole(c, clients[c])
                 ELSE carrying.entry
    IN  /\ doubts < Doubts
        /\ Serves(u, clients[c])
        /\ carrying.address \in {NoAddress, address}
        /\ store[u][address] = Nothing
        /\ doubts' = doubts + 1
        /\ flight' = flight \cup {[unit |-> u, epoch |-> clients[c],
                                   address |-> address, entry |-> entry]}
        /\ completions' = [completions EXCEPT ![c] = NotCarrying]
        /\ UNCHANGED <<layouts, log, sequencer, clients, appends,
                       reconfigurers, starts, restarts, seen, broken>>

\* A writer in doubt decides the address in the new layout.
Settle(w) == MustSettle(w) /\ Decide(w, appends[w].address)

SettleInDoubt(w) ==
    MustSettle(w) /\ CompletionInDoubt(w, appends[w].address)

(***************************************************************************)
(* ReadBatch and SlowRead                                                  *)
(***************************************************************************)

\* An entry on the tail is complete.
ReadTail(r, address) ==
    LET tail == Tail(Chain(r))
    IN  /\ completions[r] = NotCarrying
        /\ Serves(tail, clients[r])
        /\ store[tail][address] /= Nothing
        /\ <<address, store[tail][address]>> \notin returned
        /\ returned' = returned \cup {<<address, store[tail][address]>>}
        /\ UNCHANGED <<layouts, log, sequencer, doing, reconfigurers, flight,
                       starts, world, acked, broken>>

\* The tail does not hold the entry, but the head may. The hole timeout passes
\* at any time. An address without a token is unwritten, and is not filled. A
\* client that asks a sequencer of another epoch fails, so the model uses any
\* sequencer.
Look(r, address) ==
    LET head == Head(Chain(r))
        tail == Tail(Chain(r))
    IN  /\ store[tail][address] = Nothing
        /\ \/ store[head][address] /= Nothing
           \/ address < sequencer.next
        /\ IF Keeps("R1") \/ store[head][address] = Nothing
           THEN Decide(r, address)
           ELSE /\ Serves(head, clients[r])
                /\ completions[r] = NotCarrying
                /\ returned' = returned \cup {<<address, store[head][address]>>}
                /\ UNCHANGED <<layouts, log, sequencer, doing, reconfigurers,
                               flight, starts, world, acked, broken>>

(***************************************************************************)
(* Reconfiguration, and the sequencer                                      *)
(***************************************************************************)

\* The sequencer is asked first, but its answer is not needed.
SealBegins(r) ==
    /\ reconfigurers[r] = Idle
    /\ Newest < LastEpoch
    /\ reconfigurers' = [reconfigurers EXCEPT ![r].old = Newest]
    /\ UNCHANGED <<layouts, log, sequencer, doing, flight, starts, world, seen,
                   broken>>

\* R6: the tail is behind all entries that a head has accepted. Without R6, it
\* is read only from the last replica, which has all complete entries.
TailWith(rc, u) ==
    IF Keeps("R6") \/ u = Tail(layouts[rc.old]) THEN Max(rc.tail, EndOf(u))
    ELSE rc.tail

SealUnit(r, u) ==
    LET rc == reconfigurers[r]
    IN  /\ rc.old > 0
        /\ u \in layouts[rc.old] \ rc.sealed
        /\ served[u] <= rc.old \* or it learns that its epoch is over
        /\ sealed' = [sealed EXCEPT ![u] = Max(@, rc.old)]
        /\ promised' = [promised EXCEPT ![u] = Max(@, rc.old)]
        /\ flight' = flight \ Refused(u, rc.old)
        /\ reconfigurers' = [reconfigurers EXCEPT ![r] =
                                [rc EXCEPT !.sealed = @ \cup {u},
                                           !.tail = TailWith(rc, u)]]
        /\ UNCHANGED <<layouts, served, store, sequencer, doing, starts, world,
                       seen, broken>>

SealSequencer(r) ==
    LET rc == reconfigurers[r]
    IN  /\ rc.old > 0 /\ rc.sealed = {}
        /\ \/ sequencer.sealed < rc.old
           \/ sequencer.next > rc.tail
           \/ restarts /= rc.life
        /\ sequencer' = [sequencer EXCEPT !.sealed = Max(@, rc.old)]
        /\ reconfigurers' = [reconfigurers EXCEPT
                                ![r].tail = Max(@, sequencer.next),
                                ![r].life = restarts]
        /\ UNCHANGED <<layouts, log, doing, flight, starts, world, seen,
                       broken>>

\* Units that were not sealed leave. If the head was sealed, the chain may also
\* stay as it is; then the others serve until they learn of the new epoch.
\* LayoutDecision.decide is one step. Only the process whose own proposal was
\* decided starts the sequencer, perhaps later. An equal proposal of another
\* process is not enough.
Renew(r) ==
    LET rc    == reconfigurers[r]
        epoch == rc.old + 1
    IN  /\ rc.old > 0 /\ rc.sealed /= {}
        /\ \E proposal \in (IF ~Keeps("seal all") THEN SUBSET layouts[rc.old] \ {{}}
                            ELSE IF Head(layouts[rc.old]) \in rc.sealed
                            THEN {rc.sealed, layouts[rc.old]}
                            ELSE {rc.sealed}) :
              LET decided == IF layouts[epoch] = {} THEN proposal
                             ELSE layouts[epoch]
              IN  /\ layouts' = [layouts EXCEPT ![epoch] = decided]
                  /\ starts' = IF \/ layouts[epoch] = {}
                                  \/ ~Keeps("winner") /\ decided = proposal
                               THEN starts \cup {[epoch |-> epoch,
                                                  next  |-> rc.tail,
                                                  by    |-> r,
                                                  life  |-> rc.life]}
                               ELSE starts
        /\ reconfigurers' = [reconfigurers EXCEPT ![r] = Idle]
        /\ UNCHANGED <<log, sequencer, doing, flight, world, seen, broken>>

\* Sequencer.start: a start of a sealed, older or running epoch changes
\* nothing. A start that was prepared for an earlier life, or for none, is
\* refused.
StartSequencer ==
    \E start \in starts :
        /\ start.epoch > sequencer.sealed /\ start.epoch > sequencer.epoch
        /\ Keeps("starts last") => start.life = restarts
        /\ starts' = starts \ {start}
        /\ sequencer' = [sequencer EXCEPT !.epoch = start.epoch,
                                          !.next = start.next]
        /\ UNCHANGED <<layouts, log, doing, reconfigurers, flight, world, seen,
                       broken>>

\* The sequencer forgets everything. Its incarnation, here the number of
\* restarts, changes.
RestartSequencer ==
    /\ restarts < Restarts
    /\ sequencer.epoch > 0
    /\ restarts' = restarts + 1
    /\ sequencer' = [epoch |-> 0, next |-> 0, sealed |-> 0]
    /\ UNCHANGED <<layouts, log, doing, reconfigurers, flight, starts, doubts,
                   seen, broken>>

(***************************************************************************)
(* The whole system                                                        *)
(***************************************************************************)

\* After Reconfiguration.bootstrap, whose Start is in flight.
Init ==
    /\ layouts = [e \in Epochs |-> IF e = 1 THEN Units ELSE {}]
    /\ served = [u \in Units |-> 1]
    /\ sealed = [u \in Units |-> 0]
    /\ promised = [u \in Units |-> 0]
    /\ store = [u \in Units |-> [a \in Addresses |-> Nothing]]
    /\ sequencer = [epoch |-> 0, sealed |-> 0, next |-> 0]
    /\ clients = [c \in Clients |-> 1]
    /\ appends = [w \in Writers |-> NoAppend]
    /\ completions = [c \in Clients |-> NotCarrying]
    /\ reconfigurers = [r \in Reconfigurers |-> Idle]
    /\ flight = {} /\ starts = {[epoch |-> 1, next |-> 0, by |-> 0,
                                  life |-> 0]}
    /\ doubts = 0 /\ restarts = 0
    /\ acked = {} /\ returned = {} /\ broken = {}

Next ==
    \/ \E u \in Units : Install(u) \/ ForgetSeal(u)
    \/ Arrives \/ StartSequencer \/ RestartSequencer
    \/ \E w \in Writers :
          GiveTokens(w) \/ WriteStep(w) \/ WriteInDoubt(w) \/ Settle(w)
          \/ SettleInDoubt(w)
    \/ \E c \in Clients : EnterEpoch(c) \/ Carry(c)
    \/ \E r \in Readers, a \in Addresses :
          ReadTail(r, a) \/ Look(r, a)
          \/ (a < sequencer.next /\ CompletionInDoubt(r, a))
    \/ \E r \in Reconfigurers :
          SealBegins(r) \/ SealSequencer(r) \/ Renew(r)
          \/ \E u \in Units : SealUnit(r, u)

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* Invariants (docs/design.md, section 8)                                  *)
(***************************************************************************)

Known == acked \cup returned

I1_WriteOnce == \A p, q \in Known : p[1] = q[1] => p[2] = q[2]

\* However many replicas fail, the others of the newest layout have it.
I2_Durability ==
    \A p \in Known : \A u \in layouts[Newest] : store[u][p[1]] = p[2]

\* A written prefix with one value, an unwritten suffix.
I3_Chain ==
    \A a \in Addresses : \A u, v \in layouts[Newest] :
        u < v => store[v][a] \in {Nothing, store[u][a]}

I4_Epochs == "accepted under a sealed epoch" \notin broken

I5_OneLayout == [][\A e \in Decided : layouts'[e] = layouts[e]]_vars

\* The sequencer's tail is behind every acknowledged append.
Tail_NeverBehindAnAppend ==
    sequencer.epoch > sequencer.sealed =>
        \A p \in acked : p[1] < sequencer.next

\* A client may ask for a stream's end first, and then find no entry of a token
\* at a head. It may then read up to before that token: when the sequencer
\* answered, no append there had been acknowledged (Streams.withoutUnderWay).
Head_KnowsOfAppends ==
    sequencer.epoch > sequencer.sealed =>
        \A p \in Known :
            IsData(p[2]) =>
                store[Head(layouts[sequencer.epoch])][p[1]] /= Nothing

\* An append has at most one address.
Append_Once ==
    \A p, q \in Known : IsData(p[2]) /\ p[2] = q[2] => p[1] = q[1]

\* Processes of one kind are interchangeable.
Alike == Permutations(Writers) \cup Permutations(Readers)
         \cup Permutations(Reconfigurers)

\* The code's own check of the chain never fails.
No_Alarm == broken \subseteq {"accepted under a sealed epoch"}
=============================================================================
