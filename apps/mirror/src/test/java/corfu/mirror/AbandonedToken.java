package corfu.mirror;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import java.util.concurrent.TimeUnit;

/** Leaves holes in a log, as writers do that die with a token. */
final class AbandonedToken {

  private AbandonedToken() {}

  /** Takes the next token, and fills its address. */
  static LogEntry fill(EmbeddedCluster cluster, Corfu corfu) {
    var next = new SequencerRequest.Next(corfu.layout().epoch(), 1);
    var sequencer = cluster.transport().peer(corfu.layout().sequencers().getFirst());
    return switch (sequencer.call(next, TimeUnit.SECONDS.toNanos(5))) {
      case SequencerReply.Tokens tokens -> corfu.log().fill(new Address(tokens.first()));
      case Object other -> throw new AssertionError("no token, but " + other);
    };
  }
}
