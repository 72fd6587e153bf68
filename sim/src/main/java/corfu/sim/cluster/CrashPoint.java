package corfu.sim.cluster;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.sim.world.ProcessLife;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Kills a process at a step of a protocol, just before it sends the message of the next step. It
 * stays in place through all lives of the process.
 */
public final class CrashPoint {

  private final Function<Epoch, Optional<Layout>> layouts;
  private Optional<ProtocolStep> step = Optional.empty();
  private int sentBefore;
  private Runnable death = () -> {};

  /**
   * @param layouts the layout of each epoch, which tells a replica's position in its chain
   */
  CrashPoint(Function<Epoch, Optional<Layout>> layouts) {
    this.layouts = layouts;
  }

  /**
   * Arms the crash point at this step.
   *
   * @param sent the number of messages of the next step that are sent before the crash
   */
  public void arm(ProtocolStep at, int sent, Runnable dies) {
    step = Optional.of(at);
    sentBefore = sent;
    death = dies;
  }

  public void disarm() {
    step = Optional.empty();
  }

  /** Wraps the transport to the servers in one life of the process. */
  Transport around(Transport way, ProcessLife life) {
    return new Transport() {
      @Override
      public Peer peer(Endpoint endpoint) {
        return new DoomedPeer(way.peer(endpoint), life);
      }

      @Override
      public void close() {
        way.close();
      }
    };
  }

  private record Ahead(ProtocolStep step, boolean afterReply) {}

  /** Returns the step that precedes this message. */
  private Optional<Ahead> ahead(Endpoint to, Request request) {
    return switch (request) {
      case LogUnitRequest.Write write
          when step.filter(ProtocolStep.OF_APPENDS::contains).isPresent() ->
          ofWrite(to, write);
      case LogUnitRequest.Write write -> Optional.of(new Ahead(ProtocolStep.COPYING, false));
      case LogUnitRequest.Trim trim -> Optional.of(new Ahead(ProtocolStep.TRIMMING, false));
      case LogUnitRequest.PrefixTrim trim -> Optional.of(new Ahead(ProtocolStep.TRIMMING, false));
      case LogUnitRequest.TrimStream trim -> Optional.of(new Ahead(ProtocolStep.TRIMMING, false));
      case LogUnitRequest.Inspect inspect -> Optional.of(new Ahead(ProtocolStep.COPYING, false));
      case LayoutRequest.Prepare prepare -> Optional.of(new Ahead(ProtocolStep.SEALED, false));
      case LayoutRequest.Accept accept -> Optional.of(new Ahead(ProtocolStep.PREPARED, false));
      case LayoutRequest.Learn learn -> Optional.of(new Ahead(ProtocolStep.DECIDED, false));
      case SequencerRequest.Start start -> Optional.of(new Ahead(ProtocolStep.LEARNED, false));
      default -> Optional.empty();
    };
  }

  private Optional<Ahead> ofWrite(Endpoint to, LogUnitRequest.Write write) {
    Optional<List<Endpoint>> chain =
        layouts
            .apply(write.epoch())
            .filter(layout -> !layout.isBefore(write.entries().getFirst().address()))
            .map(layout -> layout.path(write.entries().getFirst()));
    if (chain.isEmpty() || !chain.get().contains(to)) {
      return Optional.empty();
    }
    int position = chain.get().indexOf(to);
    int last = chain.get().size() - 1;
    if (position == last && step.equals(Optional.of(ProtocolStep.TAIL_HAS_IT))) {
      return Optional.of(new Ahead(ProtocolStep.TAIL_HAS_IT, true));
    }
    return switch (position) {
      case 0 -> Optional.of(new Ahead(ProtocolStep.HAS_TOKEN, false));
      case 1 -> Optional.of(new Ahead(ProtocolStep.HEAD_HAS_IT, false));
      default -> Optional.of(new Ahead(ProtocolStep.MIDDLE_HAS_IT, false));
    };
  }

  private void strike() {
    step = Optional.empty();
    death.run();
  }

  /** A server as the process sees it. A dead process sends and receives nothing. */
  private final class DoomedPeer implements Peer {

    private final Peer peer;
    private final ProcessLife life;

    private DoomedPeer(Peer peer, ProcessLife life) {
      this.peer = peer;
      this.life = life;
    }

    @Override
    public Endpoint endpoint() {
      return peer.endpoint();
    }

    @Override
    public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
      if (step.isEmpty() || life.isOver()) {
        return life.isOver() ? new CompletableFuture<>() : peer.send(request, timeoutNanos);
      }
      Optional<Ahead> ahead =
          ahead(endpoint(), request).filter(it -> step.equals(Optional.of(it.step())));
      if (ahead.isEmpty() || sentBefore-- > 0) {
        return peer.send(request, timeoutNanos);
      }
      if (!ahead.get().afterReply()) {
        strike();
        return new CompletableFuture<>();
      }
      return peer.send(request, timeoutNanos)
          .thenCompose(
              reply -> {
                if (step.equals(Optional.of(ahead.get().step())) && !life.isOver()) {
                  strike();
                }
                return life.isOver()
                    ? new CompletableFuture<>()
                    : CompletableFuture.completedFuture(reply);
              });
    }
  }
}
