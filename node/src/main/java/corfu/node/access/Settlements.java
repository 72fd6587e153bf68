package corfu.node.access;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Corfu;
import corfu.runtime.CorruptEntryException;
import corfu.world.Loop;
import corfu.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Settles addresses and streams for clients that may not do so themselves. The server's own client
 * reads the addresses, which completes half-written entries and fills holes after its own hole
 * timeout. It asks for the ends of streams, which looks them up if the sequencer does not know
 * them. Lives on the server's loop.
 */
final class Settlements {

  /** The largest number of requests in progress. */
  static final int MOST = 64;

  /** The number of addresses that are read together: their entries are in memory. */
  private static final int READ_TOGETHER = 16;

  private final World world;
  private final Loop loop;
  private final Supplier<Optional<Corfu>> client;
  private int running;

  Settlements(World world, Loop loop, Supplier<Optional<Corfu>> client) {
    this.world = world;
    this.loop = loop;
    this.client = client;
  }

  void settle(NodeRequest.Settle request, Consumer<Reply> reply) {
    run(corfu -> settle(corfu, request.addresses()), reply);
  }

  void settle(NodeRequest.SettleStreams request, Consumer<Reply> reply) {
    List<StreamId> streams = request.streams();
    run(
        corfu -> {
          var unused = corfu.streamAccess().ends(streams);
        },
        reply);
  }

  private void run(Consumer<Corfu> work, Consumer<Reply> reply) {
    Optional<Corfu> corfu = client.get();
    if (corfu.isEmpty()) {
      reply.accept(
          new Failure.NotServing("this server has not reached the log itself yet; try again"));
      return;
    }
    if (running >= MOST) {
      reply.accept(
          new Failure.Overloaded(
              "the server settles addresses for %d requests already; try again".formatted(MOST)));
      return;
    }
    running++;
    world.start(
        "corfu-settle",
        () -> {
          Reply answer = outcome(work, corfu.get());
          loop.execute(
              () -> {
                running--;
                reply.accept(answer);
              });
        });
  }

  private static Reply outcome(Consumer<Corfu> work, Corfu corfu) {
    try {
      work.accept(corfu);
      return Reply.Done.DONE;
    } catch (RuntimeException failure) {
      return new Failure.NotServing(
          "the server could not settle it: " + failure.getMessage() + "; try again");
    }
  }

  private static void settle(Corfu corfu, AddressSet addresses) {
    List<Address> piece = new ArrayList<>();
    for (int i = 0; i < addresses.count(); i++) {
      piece.add(new Address(addresses.at(i)));
      if (piece.size() == READ_TOGETHER || i == addresses.count() - 1) {
        read(corfu, piece);
        piece.clear();
      }
    }
  }

  /** An entry that no replica can read is settled: its address stays taken. */
  private static void read(Corfu corfu, List<Address> piece) {
    try {
      var unused = corfu.log().read(piece);
    } catch (CorruptEntryException oneOfThem) {
      for (Address address : piece) {
        var unused = isReadable(corfu, address);
      }
    }
  }

  private static boolean isReadable(Corfu corfu, Address address) {
    try {
      var unused = corfu.log().read(address);
      return true;
    } catch (CorruptEntryException corrupt) {
      return false;
    }
  }
}
