package corfu.roles.layout;

import static corfu.roles.layout.Layouts.step;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.LayoutReply.Accepted;
import corfu.protocol.message.LayoutReply.AcceptedNow;
import corfu.protocol.message.LayoutReply.Promised;
import corfu.protocol.message.LayoutRequest.Accept;
import corfu.protocol.message.LayoutRequest.Prepare;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One epoch never has two layouts, whatever happens to proposers, messages and servers. */
class PaxosSafetyTest {

  private static final int ACCEPTORS = 3;
  private static final int MAJORITY = 2;
  private static final List<Incarnation> LIVES =
      List.of(new Incarnation(11), new Incarnation(22), new Incarnation(33));

  private static Layout layout(long epoch, int variant) {
    return Layouts.layout(epoch, variant, LIVES);
  }

  /** Tries every order in which the messages of two proposers can arrive, each of them or never. */
  @Test
  void noOrderAndNoLossOfMessagesDecidesTwoLayouts() {
    Deque<Situation> open = new ArrayDeque<>();
    Set<Situation> seen = new HashSet<>();
    Set<Layout> everDecided = new HashSet<>();
    open.add(Situation.start(2));
    while (!open.isEmpty()) {
      Situation situation = open.pop();
      if (seen.add(situation)) {
        assertThat(situation.decided()).hasSizeLessThanOrEqualTo(1);
        everDecided.addAll(situation.decided());
        open.addAll(situation.successors());
      }
    }
    assertThat(seen).hasSizeGreaterThan(1_000);
    assertThat(everDecided).containsExactlyInAnyOrder(layout(1, 0), layout(1, 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void noMixOfLossDuplicationCrashesAndDiskFaultsDecidesTwoLayouts(int proposers) {
    int decided = 0;
    for (int seed = 0; seed < 1_500; seed++) {
      PaxosSimulation simulation =
          new PaxosSimulation(new SplittableRandom(proposers * 1_000_000L + seed), proposers);
      decided += simulation.run("seed " + seed + " with " + proposers + " proposers");
    }
    assertThat(decided).as("the faults leave room for decisions").isGreaterThan(1_500);
  }

  /**
   * The state of two-phase proposals and their acceptors. A request and its reply arrive at once,
   * or the reply is lost. Because a proposer may act as late as it likes, this covers all cases.
   */
  private record Situation(List<LayoutState> acceptors, List<Proposal> proposals) {

    static Situation start(int proposers) {
      List<Proposal> proposals = new ArrayList<>();
      for (int i = 0; i < proposers; i++) {
        proposals.add(new Proposal(i, Set.of(), List.of(), Optional.empty(), Set.of(), Set.of()));
      }
      return new Situation(LIVES.stream().map(LayoutState::blank).toList(), proposals);
    }

    Set<Layout> decided() {
      Set<Layout> decided = new HashSet<>();
      for (Proposal proposal : proposals) {
        if (proposal.acceptedBy().size() >= MAJORITY) {
          decided.add(proposal.value().orElseThrow());
        }
      }
      return decided;
    }

    List<Situation> successors() {
      List<Situation> next = new ArrayList<>();
      for (Proposal proposal : proposals) {
        for (int acceptor = 0; acceptor < ACCEPTORS; acceptor++) {
          if (!proposal.asked().contains(acceptor) && proposal.value().isEmpty()) {
            next.addAll(prepare(proposal, acceptor));
          }
          if (!proposal.sent().contains(acceptor) && proposal.promises().size() >= MAJORITY) {
            next.add(accept(proposal, acceptor));
          }
        }
      }
      return next;
    }

    private List<Situation> prepare(Proposal proposal, int acceptor) {
      LayoutState.Step step =
          step(acceptors.get(acceptor), new Prepare(new Epoch(1), proposal.ballot()));
      List<Situation> next = new ArrayList<>();
      next.add(with(acceptor, step.state(), proposal.preparedAt(acceptor, Optional.empty())));
      if (step.reply() instanceof Promised promise) {
        next.add(with(acceptor, step.state(), proposal.preparedAt(acceptor, Optional.of(promise))));
      }
      return next;
    }

    /** Counts an acceptor's vote even if the proposer never receives the reply. */
    private Situation accept(Proposal proposal, int acceptor) {
      Layout value = proposal.choose();
      LayoutState.Step step = step(acceptors.get(acceptor), new Accept(proposal.ballot(), value));
      boolean accepted = step.reply() instanceof AcceptedNow;
      return with(acceptor, step.state(), proposal.sentTo(acceptor, value, accepted));
    }

    private Situation with(int acceptor, LayoutState state, Proposal proposal) {
      List<LayoutState> newAcceptors = new ArrayList<>(acceptors);
      newAcceptors.set(acceptor, state);
      List<Proposal> newProposals = new ArrayList<>(proposals);
      newProposals.set(proposal.number(), proposal);
      return new Situation(newAcceptors, newProposals);
    }
  }

  /** The only round of a proposer. */
  private record Proposal(
      int number,
      Set<Integer> asked,
      List<Promised> promises,
      Optional<Layout> value,
      Set<Integer> sent,
      Set<Integer> acceptedBy) {

    Ballot ballot() {
      return new Ballot(1 + number, 0);
    }

    Layout choose() {
      return value.orElseGet(
          () ->
              promises.stream()
                  .flatMap(promise -> promise.accepted().stream())
                  .max(Comparator.comparing(Accepted::ballot))
                  .map(Accepted::layout)
                  .orElse(layout(1, number)));
    }

    Proposal preparedAt(int acceptor, Optional<Promised> promise) {
      List<Promised> more = new ArrayList<>(promises);
      promise.ifPresent(more::add);
      return new Proposal(number, plus(asked, acceptor), more, value, sent, acceptedBy);
    }

    Proposal sentTo(int acceptor, Layout chosen, boolean accepted) {
      return new Proposal(
          number,
          asked,
          promises,
          Optional.of(chosen),
          plus(sent, acceptor),
          accepted ? plus(acceptedBy, acceptor) : acceptedBy);
    }

    private static Set<Integer> plus(Set<Integer> set, int element) {
      Set<Integer> larger = new HashSet<>(set);
      larger.add(element);
      return larger;
    }
  }
}
