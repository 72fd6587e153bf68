----------------------------- MODULE CorfuLeases -----------------------------
(***************************************************************************)
(* Leases (decision 8): who serves a layout that has been followed by      *)
(* another answers no read. In CorfuRebuild this is the rule "leases".     *)
(*                                                                         *)
(* Time is abstract: a lease ends at any time, but at its holder, who      *)
(* counts from when it asked, before a proposer takes it for ended, who    *)
(* counts from when it was granted, and a quarter more. A layout is        *)
(* decided in one step, at the end of phase 1 and the wait, see            *)
(* CorfuPaxos; all that phase 2 may add is that it happens later.          *)
(*                                                                         *)
(*   layout server    Grant  Promise  Learn  Expire  Restart  LoseDisk     *)
(*   server           Install  Seal  LetGo                                 *)
(*   proposer         Decide                                               *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Grantors,    \* the layout servers of the first epoch
    Others,      \* sets of some of them that later epochs have instead
    Servers,     \* that answer reads
    LastEpoch,
    Restarts,    \* how often a layout server forgets what it granted
    LostDisks,   \* how often one forgets what it promised, too
    Without      \* names of rules that are left out: the model must fail

RuleNames ==
    { "stop",          \* who has promised an epoch grants no lease of an older one
      "learned",       \* nor who has learned of it
      "wait",          \* a proposer waits until leases have ended, but of those
                       \* that are sealed, and of those for whom nothing changes
      "restart",       \* who has restarted takes all leases for running
      "others",        \* of all servers, where it proposes other layout servers
      "lost disk",     \* who has lost its disk neither promises nor grants
      "many promises", \* a proposer has promises of a majority
      "many leases",   \* a server has leases of a majority
      "of the epoch"   \* of the layout servers of the epoch that it serves
    }
ASSUME Without \subseteq RuleNames

Keeps(rule) == rule \notin Without
Epochs      == 1 .. LastEpoch

VARIABLES
    layouts,   \* of each epoch: the servers that serve it, or {} while undecided
    deciders,  \* of each epoch: its layout servers
    kept,      \* of each epoch: servers for whom nothing changed with it
    installed, \* of each server: the epoch that it serves
    sealed,    \* of each server: it serves no epoch up to this one
    held,      \* of each server: whose leases it holds
    running,   \* of each layout server: whose leases it takes for running
    promised,  \* of each layout server: the highest epoch
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

\* As far as it knows, it is one of the layout servers.
Mine(g) == /\ Keeps("lost disk") => g \in member
           /\ g \in deciders[learned[g]]

\* The server renews its lease. An answer that comes late only shortens it.
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

\* The granter's time is over.
Expire(g, s) ==
    /\ s \in running[g]
    /\ g \notin held[s]
    /\ running' = [running EXCEPT ![g] = @ \ {s}]
    /\ UNCHANGED <<decisions, installed, sealed, held, promised, learned, member,
                   promises, restarts, lostDisks>>

\* LayoutState.prepare, of any ballot: tells which leases are running.
Promise(g) ==
    LET e == Newest + 1
        p == [from |-> g, epoch |-> e, running |-> running[g]]
    IN  /\ Mine(g) /\ g \in deciders[Newest]
        /\ e <= LastEpoch /\ p \notin promises /\ learned[g] < e
        /\ promised' = [promised EXCEPT ![g] = e]
        /\ promises' = promises \cup {p}
        /\ UNCHANGED <<decisions, installed, sealed, held, running, learned,
                       member, restarts, lostDisks>>

\* LayoutState.learn: what was promised for that epoch is forgotten.
Learn(g) ==
    \E e \in Epochs :
        /\ e \in Decided
        /\ e > learned[g]
        /\ learned' = [learned EXCEPT ![g] = e]
        /\ promised' = [promised EXCEPT ![g] = IF @ <= e THEN 0 ELSE @]
        /\ UNCHANGED <<decisions, installed, sealed, held, running, member,
                       promises, restarts, lostDisks>>

\* Grants are in memory only. Who is not in its layout has no majority any more.
Restart(g) ==
    /\ restarts < Restarts
    /\ restarts' = restarts + 1
    /\ running' = [running EXCEPT ![g] = IF Keeps("restart")
                                         THEN layouts[learned[g]] ELSE {}]
    /\ UNCHANGED <<decisions, installed, sealed, held, promised, learned, member,
                   promises, lostDisks>>

\* It is told the newest layout again, which does not name its incarnation.
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

\* Who was promised, and has waited, proposes some of the servers, and
\* other layout servers if there are any. A sealed server answers again in the new epoch only. What
\* is decided last is looked at only where it changes something.
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

\* Who is who does not matter.
Alike == Permutations(Grantors \ UNION Others) \cup Permutations(Servers)

MayAnswer(s) ==
    /\ s \in layouts[installed[s]]
    /\ sealed[s] < installed[s]
    /\ \E e \in Epochs :
          /\ e \in Decided /\ e <= installed[s]
          /\ Keeps("of the epoch") => e = installed[s]
          /\ Enough(held[s], deciders[e], "many leases")

\* Whatever is answered is of the newest layout, or nothing has changed for who
\* answers since.
Answers_AreOfTheNewestLayout ==
    \A s \in Servers : MayAnswer(s) =>
        \A e \in Decided : e > installed[s] => s \in kept[e]
=============================================================================
