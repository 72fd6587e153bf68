package corfu.sim;

import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import java.util.HashMap;
import java.util.Map;

/** What must hold between servers: one layout an epoch (I5), and no token twice in an epoch. */
final class ClusterWatch implements ServerWatch {

  private final Findings findings;
  private final Map<Epoch, Layout> layouts = new HashMap<>();
  private final Map<Epoch, Long> tokens = new HashMap<>();
  private Epoch newest = Epoch.NONE;

  ClusterWatch(Findings findings) {
    this.findings = findings;
  }

  /** The newest epoch of which there is a layout. */
  Epoch newest() {
    return newest;
  }

  @Override
  public void asked(Request request) {
    switch (request) {
      case LayoutRequest.Learn(Layout layout) -> decided(layout);
      case LogUnitRequest.Install(Layout layout) -> decided(layout);
      default -> {}
    }
  }

  @Override
  public void answered(Request request, Reply reply) {
    switch (reply) {
      case LayoutReply.Current(Layout layout) -> decided(layout);
      case LayoutReply.Decided(Layout layout) -> decided(layout);
      case SequencerReply.Tokens issued when request instanceof SequencerRequest.Next next ->
          issued(next.epoch(), issued);
      default -> {}
    }
  }

  private void decided(Layout layout) {
    Layout known = layouts.putIfAbsent(layout.epoch(), layout);
    if (known != null && !known.equals(layout)) {
      findings.broken(
          "I5, one layout an epoch", "epoch %s has %s and %s", layout.epoch(), known, layout);
    }
    newest = newest.isBefore(layout.epoch()) ? layout.epoch() : newest;
  }

  private void issued(Epoch epoch, SequencerReply.Tokens issued) {
    long next = tokens.getOrDefault(epoch, 0L);
    if (issued.first() < next) {
      findings.broken(
          "Tokens",
          "%s was issued in epoch %s, where %s had been before",
          issued.first(),
          epoch,
          next - 1);
    }
    tokens.put(epoch, issued.first() + issued.count());
  }
}
