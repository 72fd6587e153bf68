----------------------------- MODULE CorfuPaxos -----------------------------
(***************************************************************************)
(* One decision of the layout servers: the layout of one epoch             *)
(* (docs/design.md, section 6, step 2). In CorfuLog this is one atomic     *)
(* step, Renew.                                                            *)
(*                                                                         *)
(* Proposers are LayoutDecision: Accept is the second half of tryRound,    *)
(* and Decides is its end. Acceptors are LayoutState: Promise (answers the *)
(* Prepare of the first half), Vote (answers an Accept) and Learn. The set *)
(* of messages only grows: they may arrive late, twice, in any order, or   *)
(* never.                                                                  *)
(***************************************************************************)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS
    Acceptors,
    Layouts,     \* the layouts that proposers may wish
    LastBallot,  \* ballots differ by a round and a random number
    Forgets,     \* number of restarts of acceptors
    Without      \* names of left-out rules: the model must fail

RuleNames ==
    { "adopt",         \* a proposer adopts the layout of the highest vote
      "majority",      \* of all acceptors, in both phases
      "promise lasts", \* a ballot below the promised one gets no vote
      "vote lasts"     \* an acceptor's file survives a restart
    }
ASSUME Without \subseteq RuleNames

Keeps(rule) == rule \notin Without
Ballots     == 1 .. LastBallot
NoVote      == [ballot |-> 0, layout |-> 0]

VARIABLES
    promised,  \* of each acceptor: the highest ballot that it has heard of
    accepted,  \* of each acceptor: its last vote
    learned,   \* of each acceptor: the layouts that it has learned
    messages,
    decided,   \* the layouts that a proposer believes to be decided
    forgets

vars == <<promised, accepted, learned, messages, decided, forgets>>

Enough(servers) ==
    IF Keeps("majority") THEN 2 * Cardinality(servers) > Cardinality(Acceptors)
    ELSE servers /= {}

\* LayoutState.prepare. An acceptor that has learned the layout answers with
\* it. A Prepare binds no process, so each one was sent at the start, and may
\* or may not arrive. A proposer's next try has another ballot, so the model
\* has ballots instead of proposers.
Promise(a, b) ==
    /\ learned[a] = {}
    /\ b >= promised[a]
    /\ promised' = [promised EXCEPT ![a] = b]
    /\ messages' = messages \cup {[kind |-> "promised", ballot |-> b,
                                   from |-> a, vote |-> accepted[a]]}
    /\ UNCHANGED <<accepted, learned, decided, forgets>>

\* tryRound, second half: the layout of the highest vote, or the proposer's
\* own.
Accept(b, layout) ==
    /\ ~\E m \in messages : m.kind = "accept" /\ m.ballot = b
    /\ \E promises \in SUBSET {m \in messages :
                                  m.kind = "promised" /\ m.ballot = b} :
          LET votes == {m.vote : m \in promises} \ {NoVote}
          IN  /\ Enough({m.from : m \in promises})
              /\ \/ votes = {}
                 \/ ~Keeps("adopt")
                 \/ \E v \in votes : /\ v.layout = layout
                                     /\ \A o \in votes : o.ballot <= v.ballot
    /\ messages' = messages \cup {[kind |-> "accept", ballot |-> b,
                                   layout |-> layout]}
    /\ UNCHANGED <<promised, accepted, learned, decided, forgets>>

\* LayoutState.accept.
Vote(a) ==
    \E m \in messages :
        /\ m.kind = "accept"
        /\ learned[a] = {}
        /\ Keeps("promise lasts") => m.ballot >= promised[a]
        /\ promised' = [promised EXCEPT ![a] = m.ballot]
        /\ accepted' = [accepted EXCEPT ![a] = [ballot |-> m.ballot,
                                                layout |-> m.layout]]
        /\ messages' = messages \cup {[kind |-> "voted", ballot |-> m.ballot,
                                       from |-> a, layout |-> m.layout]}
        /\ UNCHANGED <<learned, decided, forgets>>

\* A majority of votes for one ballot, or one acceptor that has learned it.
Decides ==
    /\ \/ \E b \in Ballots, layout \in Layouts :
             /\ Enough({m.from : m \in {n \in messages :
                            /\ n.kind = "voted" /\ n.ballot = b
                            /\ n.layout = layout}})
             /\ decided' = decided \cup {layout}
       \/ \E a \in Acceptors : decided' = decided \cup learned[a]
    /\ UNCHANGED <<promised, accepted, learned, messages, forgets>>

\* LayoutState.learn: told by tellEverybody. The votes are no longer needed.
Learn(a) ==
    \E layout \in decided :
        /\ learned' = [learned EXCEPT ![a] = @ \cup {layout}]
        /\ promised' = [promised EXCEPT ![a] = 0]
        /\ accepted' = [accepted EXCEPT ![a] = NoVote]
        /\ UNCHANGED <<messages, decided, forgets>>

\* Only without "vote lasts".
Forget(a) ==
    /\ ~Keeps("vote lasts")
    /\ forgets < Forgets
    /\ forgets' = forgets + 1
    /\ promised' = [promised EXCEPT ![a] = 0]
    /\ accepted' = [accepted EXCEPT ![a] = NoVote]
    /\ UNCHANGED <<learned, messages, decided>>

Init ==
    /\ promised = [a \in Acceptors |-> 0]
    /\ accepted = [a \in Acceptors |-> NoVote]
    /\ learned = [a \in Acceptors |-> {}]
    /\ messages = {} /\ decided = {} /\ forgets = 0

Next ==
    \/ Decides
    \/ \E b \in Ballots, l \in Layouts : Accept(b, l)
    \/ \E a \in Acceptors : Vote(a) \/ Learn(a) \/ Forget(a)
    \/ \E a \in Acceptors, b \in Ballots : Promise(a, b)

Spec == Init /\ [][Next]_vars

\* Processes and layouts are interchangeable.
Alike == Permutations(Acceptors) \cup Permutations(Layouts)

I5_OneLayout == Cardinality(decided) <= 1
=============================================================================
