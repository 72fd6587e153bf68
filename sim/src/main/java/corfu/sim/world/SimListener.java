package corfu.sim.world;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply.Welcome;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.wire.Frame;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.MalformedFrameException;
import corfu.transport.RequestHandler;
import corfu.world.Loop;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A server's end of the network. It handles arrived requests in turns, as the real listeners do.
 */
public final class SimListener implements AutoCloseable {

  /** The beginning of the identities of processes, before their names. */
  public static final String IDENTITIES = "sim/";

  /** The number of recent requests that may arrive again. */
  private static final int PAST_MAX = 64;

  private static final long FAR_AWAY = 1L << 62;
  private static final long NOT_TOO_FAR = 1L << 16;

  private final SimNetwork network;
  private final Endpoint endpoint;
  private final ProcessLife life;
  private final Loop loop;
  private final RequestHandler handler;
  private final ArrayDeque<Arrival> arrivals = new ArrayDeque<>();
  private final List<ByteBuffer> past = new ArrayList<>();

  /** The last request of each kind, rare kinds included. */
  private final Map<Integer, ByteBuffer> lastOfKinds = new TreeMap<>();

  /** The greetings of clients while the server did not know its own cluster. */
  private final IdentityHashMap<SimConnection, Hello> unsettled = new IdentityHashMap<>();

  private boolean turnScheduled;
  private boolean closed;

  /**
   * @param from the connection, or empty if the frame was sent on a connection that has ended
   */
  private record Arrival(Optional<SimConnection> from, ByteBuffer bytes) {}

  public SimListener(
      SimNetwork network, Endpoint endpoint, ProcessLife life, Loop loop, RequestHandler handler) {
    this.network = network;
    this.endpoint = endpoint;
    this.life = life;
    this.loop = loop;
    this.handler = handler;
    network.listen(this);
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  public ProcessLife life() {
    return life;
  }

  void arrived(SimConnection from, ByteBuffer bytes) {
    past.addLast(copyOf(bytes));
    if (past.size() > PAST_MAX) {
      past.removeFirst();
    }
    lastOfKinds.put(kindOf(bytes), past.getLast());
    arrived(new Arrival(Optional.of(from), bytes));
  }

  /** Lets an earlier request arrive once more; its reply has no receiver. */
  public void arrivesAgain(SimRandom chance) {
    if (!past.isEmpty()) {
      boolean isOfAnyKind = chance.oneIn(2);
      List<ByteBuffer> kinds = List.copyOf(lastOfKinds.values());
      ByteBuffer frame = copyOf(isOfAnyKind ? chance.pick(kinds) : chance.pick(past));
      arrived(new Arrival(Optional.empty(), frame));
    }
  }

  /** Lets a request arrive that seals a role at an epoch beyond the newest one, a little or far. */
  public void isSealed(Epoch newest, SimRandom chance) {
    long beyond = chance.oneIn(4) ? FAR_AWAY : chance.mostlyNear(1, NOT_TOO_FAR);
    Epoch epoch = new Epoch(newest.value() + beyond);
    Request seal =
        chance.oneIn(4) ? new SequencerRequest.Seal(epoch) : new LogUnitRequest.Seal(epoch);
    network.trace().say(life.process(), () -> "a hostile request comes: " + MessageText.of(seal));
    ByteBuffer frame = WireBytes.of(seal, 1, FrameCodec.NEWEST_VERSION);
    arrived(new Arrival(Optional.empty(), frame));
  }

  /** Returns the type number of the message, which follows the frame's length. */
  private static int kindOf(ByteBuffer frame) {
    return frame.getShort(frame.position() + Integer.BYTES);
  }

  private static ByteBuffer copyOf(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return ByteBuffer.wrap(copy).order(bytes.order());
  }

  private void arrived(Arrival arrival) {
    life.soon(
        () -> {
          arrivals.add(arrival);
          if (!turnScheduled) {
            turnScheduled = true;
            loop.execute(this::turn);
          }
        });
  }

  private void turn() {
    turnScheduled = false;
    for (Arrival next = arrivals.poll(); next != null && !closed; next = arrivals.poll()) {
      take(next);
    }
    if (!closed) {
      handler.turnEnded();
    }
  }

  private void take(Arrival arrival) {
    Frame frame;
    try {
      frame = FrameCodec.decode(arrival.bytes());
    } catch (MalformedFrameException e) {
      network.findings().unexpected("the codec at " + endpoint, e);
      return;
    }
    if (frame.message() instanceof Request request) {
      network.trace().say(life.process(), () -> "<- " + MessageText.of(request));
      take(request, new Once(arrival, frame, MessageText.of(request)));
    }
  }

  /**
   * Handles the client's greeting again before its request, because the server may have joined a
   * cluster since.
   */
  private void take(Request request, Once reply) {
    Optional<Hello> said = reply.arrival.from().map(unsettled::get);
    if (request instanceof Hello hello) {
      handle(hello, reply.origin(), reply.whichMaySettle(hello));
    } else if (said.isEmpty()) {
      handle(request, reply.origin(), reply);
    } else {
      handle(
          said.get(),
          reply.origin(),
          again -> {
            if (again instanceof Welcome welcome) {
              reply.settle(said.get(), welcome);
              handle(request, reply.origin(), reply);
            } else {
              reply.accept(again);
            }
          });
    }
  }

  private void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
    try {
      handler.handle(request, origin, reply);
    } catch (RuntimeException | Error e) {
      network
          .findings()
          .unexpected("the handler at " + endpoint + " of " + MessageText.of(request), e);
      reply.accept(new Failure.Broken("the server failed at it: " + e));
    }
  }

  /** Shuts the server down in good order: requests in progress get no replies any more. */
  @Override
  public void close() {
    closed = true;
    network.close(this);
  }

  /** Accepts the only reply to a request, and then frees the request's memory. */
  private final class Once implements Consumer<Reply> {

    private final Arrival arrival;
    private final long id;
    private final int version;
    private final String asked;
    private boolean answered;

    private Once(Arrival arrival, Frame frame, String asked) {
      this.arrival = arrival;
      this.id = frame.requestId();
      this.version = frame.version();
      this.asked = asked;
    }

    /** Each process is on its own host, and has proven its name. */
    private RequestOrigin origin() {
      return arrival
          .from()
          .map(SimConnection::clientName)
          .map(client -> new RequestOrigin(client, new Identity(IDENTITIES + client)))
          .orElse(RequestOrigin.UNKNOWN);
    }

    private Consumer<Reply> whichMaySettle(Hello hello) {
      return reply -> {
        if (reply instanceof Welcome welcome) {
          settle(hello, welcome);
        }
        accept(reply);
      };
    }

    private void settle(Hello hello, Welcome welcome) {
      if (welcome.cluster().isPresent()) {
        arrival.from().ifPresent(unsettled::remove);
      } else {
        arrival.from().ifPresent(connection -> unsettled.put(connection, hello));
      }
    }

    @Override
    public void accept(Reply reply) {
      if (answered || !loop.isInside()) {
        network
            .findings()
            .broken("Role", "%s answered %s twice, or on a foreign thread", life.process(), asked);
        return;
      }
      answered = true;
      if (!closed) {
        network.trace().say(life.process(), () -> "-> " + MessageText.of(reply) + " to " + asked);
        arrival.from().ifPresent(connection -> connection.reply(reply, id, version));
      }
      WireBytes.giveBack(arrival.bytes());
    }
  }
}
