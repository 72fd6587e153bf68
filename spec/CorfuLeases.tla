----------------------------- MODULE CorfuLeases -----------------------------
(***************************************************************************)
(* Leases (decision 8): a server of a layout that another layout has       *)
(* followed answers no read. In CorfuRebuild this is the rule "leases".    *)
(*                                                                         *)
(* Time is abstract. A lease ends at any time, but at its holder before    *)
(* it ends for a proposer: the holder counts from its request, and the     *)
(* proposer counts from the grant, plus a quarter. A layout is decided in  *)
(* one step, at the end of phase 1 and the wait, see CorfuPaxos. Phase 2   *)
(* could only make it later.                                               *)
(*                                                                         *)
(*   layout server    Grant  Promise  Learn  Expire  Restart  LoseDisk     *)
(*   server           Install  Seal  LetGo                                 *)
(*   proposer         Decide                                               *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Grantors,    \* the layout servers of the first epoch
    Others,      \* subsets of them that may replace them in later epochs
    Servers,     \* the servers that answer reads
    LastEpoch,
    Restarts,    \* number of restarts, which lose grants
    LostDisks,   \* number of lost disks, which lose promises, too
    Without      \* names of left-out rules: the model must fail

RuleNames ==
    { "stop",          \* a layout server that has promised an epoch grants no
                       \* lease of an older one
      "learned",       \* nor does one that has learned of the epoch
      "wait",          \* a proposer waits for the end of leases, except those
                       \* of sealed servers, and of servers for which nothing
                       \* changes
      "restart",       \* after a restart, all leases count as running
      "others",        \* with other layout servers, it waits for all servers
      "lost disk",     \* a layout server without its disk neither promises nor
                       \* grants
      "many promises", \* a proposer has promises of a majority
      "many leases",   \* a server has leases of a majority
      "of the epoch"   \* of the layout servers of its own epoch
    }
ASSUME Without \subseteq RuleNames

Keeps(rule) == rule \notin Without
Epochs      == 1 .. LastEpoch

VARIABLES
    layouts,   \* of each epoch: its servers, or {} while undecided
    deciders,  \* of each epoch: its layout servers
    kept,      \* of each epoch: servers for which it changed nothing
    installed, \* of each server: the epoch that it serves
    sealed,    \* of each server: it serves no epoch up to this one
    held,      \* of each server: the grantors of its leases
    running,   \* of each layout server: holders of leases that count as
               \* running
    promised,  \* of each layout server: the highest promised epoch
    learned,   \* of each layout server: the newest layout that it knows
    member,    \* layout servers that have not lost their disks
    promises,  \* [from, epoch, running]
    restarts, lostDisks

decisions == <<layouts, deciders, kept>>
vars == <<decisions, installed, sealed, held, running, promised, learned, member,
          promises, restarts, lostDisks>>

Decided == {e \in Epochs : layouts[e] /= {}}
Newest  == CHOOSE e \in Decided : \A d \in Decided : e >= d

IsMajority(some, all) == 2 * Cardinality(some \cap all) > Cardinality(all)
Enough(some, all, rule) ==
    IF Keeps(rule) THEN IsMajority(some, all) ELSE some \cap all /= {}

\* As far as the layout server knows, it is one of the layout's.
Mine(g) == /\ Keeps("lost disk") => g \in member
           /\ g \in deciders[learned[g]]

\* The server renews its lease. A late answer only shortens it.
Grant(g, s) ==
    LET e == installed[s]
    IN  /\ Mine(g)
        /\ s \in layouts[e]
        /\ Keeps("stop") => promised[g] <= e
        /\ Keeps("learned") => learned[g] <= e
        /\ g \notin held[s] \/ s \notin running[g]
        /\ held' = [held EXCEPT ![s] = @ \cup {g}]
        /\ running' = [running EXCEPT ![g] = @ \cup {s}]
        /\ UNCHANGED <<decisions, installed, sealed, promised, learned, member,
                       promises, restarts, lostDisks>>

\* The holder's time is over, or its server has restarted.
LetGo(g, s) ==
    /\ g \in held[s]
    /\ held' = [held EXCEPT ![s] = @ \ {g}]
    /\ UNCHANGED <<decisions, installed, sealed, running, promised, learned,
                   member, promises, restarts, lostDisks>>

\* The grantor's time is over.
Expire(g, s) ==
    /\ s \in running[g]
    /\ g \notin held[s]
    /\ running' = [running EXCEPT ![g] = @ \ {s}]
    /\ UNCHANGED <<decisions, installed, sealed, held, promised, learned, member,
                   promises, restarts, lostDisks>>

\* LayoutState.prepare, of any ballot: reports the running leases.
Promise(g) ==
    LET e == Newest + 1
        p == [from |-> g, epoch |-> e, running |-> running[g]]
    IN  /\ Mine(g) /\ g \in deciders[Newest]
        /\ e <= LastEpoch /\ p \notin promises /\ learned[g] < e
        /\ promised' = [promised EXCEPT ![g] = e]
        /\ promises' = promises \cup {p}
        /\ UNCHANGED <<decisions, installed, sealed, held, running, learned,
                       member, restarts, lostDisks>>

\* LayoutState.learn: forgets the promise for that epoch.
Learn(g) ==
    \E e \in Epochs :
        /\ e \in Decided
        /\ e > learned[g]
        /\ learned' = [learned EXCEPT ![g] = e]
        /\ promised' = [promised EXCEPT ![g] = IF @ <= e THEN 0 ELSE @]
        /\ UNCHANGED <<decisions, installed, sealed, held, running, member,
                       promises, restarts, lostDisks>>

\* Grants are only in memory. A server that is not in the layout has no
\* majority any more.
Restart(g) ==
    /\ restarts < Restarts
    /\ restarts' = restarts + 1
    /\ running' = [running EXCEPT ![g] = IF Keeps("restart")
                                         THEN layouts[learned[g]] ELSE {}]
    /\ UNCHANGED <<decisions, installed, sealed, held, promised, learned, member,
                   promises, lostDisks>>

\* It learns the newest layout again, which does not name its incarnation.
LoseDisk(g) ==
    /\ lostDisks < LostDisks
    /\ lostDisks' = lostDisks + 1
    /\ member' = member \ {g}
    /\ promised' = [promised EXCEPT ![g] = 0]
    /\ learned' = [learned EXCEPT ![g] = 1]
    /\ running' = [running EXCEPT ![g] = IF Keeps("restart")
                                         THEN Servers ELSE {}]
    /\ UNCHANGED <<decisions, installed, sealed, held, promises, restarts>>

Install(s) ==
    \E e \in Epochs :
        /\ e \in Decided
        /\ e > installed[s] /\ e > sealed[s]
        /\ installed' = [installed EXCEPT ![s] = e]
        /\ UNCHANGED <<decisions, sealed, held, running, promised, learned,
                       member, promises, restarts, lostDisks>>

Seal(s) ==
    /\ Newest < LastEpoch
    /\ sealed[s] < Newest
    /\ sealed' = [sealed EXCEPT ![s] = Newest]
    /\ UNCHANGED <<decisions, installed, held, running, promised, learned, member,
                   promises, restarts, lostDisks>>

\* A proposer with promises that has waited proposes some of the servers, and
\* perhaps other layout servers. A sealed server answers again only in the new
\* epoch. The last decision is considered only if it changes something.
Decide ==
    LET e == Newest + 1
        MustEnd(s, next, same) ==
            s \notin same \/ (Keeps("others") /\ next /= deciders[e - 1])
        Ended(p, next, same) ==
            \A s \in p.running :
                MustEnd(s, next, same) => p.from \notin held[s] \/ sealed[s] >= e - 1
    IN  /\ e <= LastEpoch
        /\ \E layout \in SUBSET Servers \ {{}},
              next \in IF e < LastEpoch /\ Others /= {} THEN Others
                                                       ELSE {deciders[e - 1]},
              same \in IF e < LastEpoch THEN SUBSET Servers ELSE {{}} :
              LET some == {p \in promises :
                             p.epoch = e /\ (Keeps("wait") => Ended(p, next, same))}
              IN  /\ same \subseteq layout \cap layouts[e - 1]
                  /\ Enough({p.from : p \in some}, deciders[e - 1], "many promises")
                  /\ layouts' = [layouts EXCEPT ![e] = layout]
                  /\ deciders' = [deciders EXCEPT ![e] = next]
                  /\ kept' = [kept EXCEPT ![e] = same]
        /\ UNCHANGED <<installed, sealed, held, running, promised, learned,
                       member, promises, restarts, lostDisks>>

Init ==
    /\ layouts = [e \in Epochs |-> IF e = 1 THEN Servers ELSE {}]
    /\ deciders = [e \in Epochs |-> Grantors]
    /\ kept = [e \in Epochs |-> {}]
    /\ installed = [s \in Servers |-> 1]
    /\ sealed = [s \in Servers |-> 0]
    /\ held = [s \in Servers |-> {}]
    /\ running = [g \in Grantors |-> {}]
    /\ promised = [g \in Grantors |-> 0]
    /\ learned = [g \in Grantors |-> 1]
    /\ member = Grantors
    /\ promises = {}
    /\ restarts = 0 /\ lostDisks = 0

Next ==
    \/ Decide
    \/ \E g \in Grantors :
          \/ Promise(g) \/ Learn(g) \/ Restart(g) \/ LoseDisk(g)
          \/ \E s \in Servers : Grant(g, s) \/ LetGo(g, s) \/ Expire(g, s)
    \/ \E s \in Servers : Install(s) \/ Seal(s)

Spec == Init /\ [][Next]_vars

\* Processes of one kind are interchangeable.
Alike == Permutations(Grantors \ UNION Others) \cup Permutations(Servers)

MayAnswer(s) ==
    /\ s \in layouts[installed[s]]
    /\ sealed[s] < installed[s]
    /\ \E e \in Epochs :
          /\ e \in Decided /\ e <= installed[s]
          /\ Keeps("of the epoch") => e = installed[s]
          /\ Enough(held[s], deciders[e], "many leases")

\* Every answer is of the newest layout, or nothing has changed since for the
\* answering server.
Answers_AreOfTheNewestLayout ==
    \A s \in Servers : MayAnswer(s) =>
        \A e \in Decided : e > installed[s] => s \in kept[e]
=============================================================================
