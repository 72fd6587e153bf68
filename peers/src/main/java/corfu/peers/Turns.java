package corfu.peers;

import corfu.peers.load.Observed;
import corfu.peers.system.AbsentException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Has Corfu and another system carry out the same order in turns. They begin alternately, round by
 * round.
 *
 * @param rounds the number of turns of each system
 * @param patience how long an order may take
 */
record Turns(LoadProcess ours, LoadProcess theirs, int rounds, Duration patience) {

  /** The results of both systems. */
  record Seen(Side ours, Side theirs) {}

  /** Carries out an order that is not measured, on one system after the other. */
  void prepare(String order) throws AbsentException {
    var unused = List.of(carryOut(ours, order), carryOut(theirs, order));
  }

  /** Carries out an order in all rounds. */
  Seen compare(String order) throws AbsentException {
    var own = new ArrayList<Observed>();
    var other = new ArrayList<Observed>();
    for (int round = 0; round < rounds; round++) {
      if (round % 2 == 0) {
        own.add(carryOut(ours, order));
        other.add(carryOut(theirs, order));
      } else {
        other.add(carryOut(theirs, order));
        own.add(carryOut(ours, order));
      }
    }
    return new Seen(Side.of(own), Side.of(other));
  }

  private Observed carryOut(LoadProcess process, String order) throws AbsentException {
    return process.carryOut(order, patience);
  }
}
