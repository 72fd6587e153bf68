---------------------------- MODULE CorfuSessions ----------------------------
(***************************************************************************)
(* The life of a session of the ZooKeeper service. Its commands are in the *)
(* log; servers apply them in order, each at its own pace. A server serves *)
(* its attachment for a timeout after it began to vouch. Other servers     *)
(* propose an expiry a timeout after they applied the last vouch.          *)
(*                                                                         *)
(* All clocks have the same rate. A server that is paused or cut off from  *)
(* the log does nothing for a while, as any action may be late.            *)
(*                                                                         *)
(*   server    Apply  Vouch  Attach  Expire                         *)
(*   time      Tick                                                        *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS
    Servers,
    Timeout,     \* of the session, in ticks
    LastTick,
    LastCommand, \* length of the log
    Without      \* names of left-out rules: the model must fail

RuleNames ==
    { "conditional", \* an expiry names the last vouch that its proposer saw
      "lease",       \* a server serves only for a timeout after it began to
                     \* vouch
      "detach",      \* a server that applies another's attachment stops
      "wait" }       \* a proposer waits for a timeout without a vouch
ASSUME Without \subseteq RuleNames

Keeps(rule) == rule \notin Without
None == "none"
Alike == Permutations(Servers)

VARIABLES
    now,
    log,      \* commands: [kind, server, vouch, began]
    applied,  \* of each server: the number of applied commands
    until,    \* of each server: the end of its lease; 0 if it serves not
    clock     \* of each server: when it applied the last vouch

vars == <<now, log, applied, until, clock>>

(***************************************************************************)
(* The session after the first n commands.                                 *)
(***************************************************************************)
Start == [lives |-> TRUE, owner |-> None, vouches |-> 0]

Next1(state, command) ==
    CASE ~state.lives -> state
      [] command.kind = "attach" ->
            [state EXCEPT !.owner = command.server, !.vouches = @ + 1]
      [] command.kind = "vouch" ->
            IF state.owner = command.server
              THEN [state EXCEPT !.vouches = @ + 1] ELSE state
      [] command.kind = "expire" ->
            IF Keeps("conditional") => state.vouches = command.vouch
              THEN [state EXCEPT !.lives = FALSE] ELSE state

RECURSIVE After(_)
After(n) == IF n = 0 THEN Start ELSE Next1(After(n - 1), log[n])

At(s) == After(applied[s])

Append1(kind, s, vouch) ==
    /\ Len(log) < LastCommand
    /\ log' = Append(log, [kind |-> kind, server |-> s, vouch |-> vouch,
                           began |-> now])

(***************************************************************************)
(* Servers                                                                 *)
(***************************************************************************)
Attach(s) ==
    /\ At(s).lives /\ At(s).owner /= s
    /\ Append1("attach", s, 0)
    /\ UNCHANGED <<now, applied, until, clock>>

\* The client has just sent something, and the server may still serve it.
Vouch(s) ==
    /\ until[s] > now
    /\ \A i \in 1 .. Len(log) : log[i].kind = "vouch" => log[i].began < now
    /\ Append1("vouch", s, 0)
    /\ UNCHANGED <<now, applied, until, clock>>

Expire(s) ==
    /\ At(s).lives /\ At(s).vouches > 0
    /\ Keeps("wait") => now - clock[s] >= Timeout
    /\ Append1("expire", s, At(s).vouches)
    /\ UNCHANGED <<now, applied, until, clock>>

Apply(s) ==
    /\ applied[s] < Len(log)
    /\ LET command == log[applied[s] + 1]
           before  == At(s)
           after   == After(applied[s] + 1)
           lease   == IF Keeps("lease") THEN command.began + Timeout
                                        ELSE LastTick + 1
       IN  /\ applied' = [applied EXCEPT ![s] = @ + 1]
           /\ clock' = [clock EXCEPT ![s] =
                          IF after.vouches > before.vouches THEN now ELSE @]
           /\ until' = [until EXCEPT ![s] =
                          IF ~after.lives THEN 0
                          ELSE IF after.vouches = before.vouches THEN @
                          ELSE IF command.server = s THEN lease
                          ELSE IF Keeps("detach") THEN 0 ELSE @]
    /\ UNCHANGED <<now, log>>

Tick == /\ now < LastTick
        /\ now' = now + 1
        /\ UNCHANGED <<log, applied, until, clock>>

Init ==
    /\ now = 1
    /\ log = <<>>
    /\ applied = [s \in Servers |-> 0]
    /\ until = [s \in Servers |-> 0]
    /\ clock = [s \in Servers |-> 0]

Next == \/ Tick
        \/ \E s \in Servers : Attach(s) \/ Vouch(s) \/ Expire(s) \/ Apply(s)

Spec == Init /\ [][Next]_vars

(***************************************************************************)
(* Invariants                                                              *)
(***************************************************************************)
Serves(s) == until[s] > now

\* Servers that have applied the same commands serve one attachment.
OneAttachmentIsServed ==
    \A s, t \in Servers :
        (s /= t /\ Serves(s) /\ Serves(t)) => applied[s] /= applied[t]

\* A session whose end is decided is not served: its server's lease is over.
NoServiceAfterExpiry ==
    ~After(Len(log)).lives => \A s \in Servers : ~Serves(s)
=============================================================================
