package corfu.silver.internal.operation;

import corfu.fuse.protocol.FileName;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.silver.NodeChange;
import corfu.silver.NodeId;
import corfu.silver.internal.record.SilverCodec;
import corfu.silver.internal.record.SilverRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Replays the changes of one node. Memory holds one change at a time. Thread-safe. */
public final class Histories {

  private final Streams streams;

  /** Returns the histories of a client's nodes. */
  public Histories(Streams streams) {
    this.streams = streams;
  }

  /**
   * Passes on the changes of a node, and of the nodes that it is a clone of up to each clone's
   * version. The oldest change that is left comes first.
   *
   * @param from the first log address
   * @param before the log address behind the last one
   * @param receiver returns false if it takes no more
   */
  public void forEach(NodeId node, long from, long before, Predicate<NodeChange> receiver) {
    List<NodeId> chain = node.chain();
    for (int i = 0; i < chain.size(); i++) {
      long end = i < node.hops().size() ? node.hops().get(i).version() : before;
      if (!forEachOfOne(chain.get(i), from, Math.min(end, before), receiver)) {
        return;
      }
    }
  }

  /** Passes on the nodes that lost a name of a directory, the first removal first. */
  public void forEachRemoval(NodeId directory, FileName name, Consumer<NodeId> receiver) {
    StreamEnds ends = streams.ends(List.of(directory.stream()));
    Source source = new Source(directory.stream(), ends, Long.MAX_VALUE);
    for (var next = source.next(); next.isPresent(); next = source.next()) {
      StreamRead.Entry entry = next.get();
      if (SilverCodec.decode(entry.address(), entry.payload()).record()
              instanceof SilverRecord.Unlink unlink
          && unlink.directory().equals(directory)
          && unlink.name().equals(name)) {
        receiver.accept(unlink.node());
      }
    }
  }

  /** Merges the stream of a node with that of its data, whose first write is in both. */
  private boolean forEachOfOne(
      NodeId node, long from, long before, Predicate<NodeChange> receiver) {
    StreamEnds ends = streams.ends(List.of(node.stream(), node.data()));
    Source own = new Source(node.stream(), ends, before);
    Source data = new Source(node.data(), ends, before);
    Optional<StreamRead.Entry> first = own.next();
    Optional<StreamRead.Entry> second = data.next();
    while (first.isPresent() || second.isPresent()) {
      long firstAddress = addressOf(first);
      long secondAddress = addressOf(second);
      StreamRead.Entry entry =
          firstAddress <= secondAddress ? first.orElseThrow() : second.orElseThrow();
      if (firstAddress <= secondAddress) {
        first = own.next();
      }
      if (secondAddress <= firstAddress) {
        second = data.next();
      }
      if (entry.address().value() >= from && !receiver.test(changeOf(node, entry))) {
        return false;
      }
    }
    return true;
  }

  private static long addressOf(Optional<StreamRead.Entry> entry) {
    return entry.map(found -> found.address().value()).orElse(Long.MAX_VALUE);
  }

  private static NodeChange changeOf(NodeId node, StreamRead.Entry entry) {
    SilverCodec.Decoded decoded = SilverCodec.decode(entry.address(), entry.payload());
    return new NodeChange(
        entry.address(),
        decoded.stamp().time(),
        decoded.stamp().uid(),
        describe(node.stream(), decoded.record()),
        removed(node, decoded.record()));
  }

  private static String describe(StreamId self, SilverRecord record) {
    return switch (record) {
      case SilverRecord.Make make -> "make";
      case SilverRecord.Create create ->
          create.node().equals(self) ? "create as " + create.name() : "create " + create.name();
      case SilverRecord.Link link -> "link " + link.name();
      case SilverRecord.Clone clone -> "clone to " + clone.name();
      case SilverRecord.Unlink unlink -> "remove " + unlink.name();
      case SilverRecord.Rename rename -> "rename " + rename.fromName() + " to " + rename.toName();
      case SilverRecord.Exchange exchange ->
          "exchange " + exchange.fromName() + " and " + exchange.toName();
      case SilverRecord.SetAttributes set -> "set attributes";
      case SilverRecord.SetExtendedAttribute set -> "set extended attribute " + set.name();
      case SilverRecord.WriteInline(long offset, byte[] bytes) ->
          "write %d bytes at %d".formatted(bytes.length, offset);
      case SilverRecord.ResizeInline(long size) -> "resize to %d bytes".formatted(size);
      case SilverRecord.Spill spill -> "write data";
      case SilverRecord.Forget(long before) -> "give up versions before " + before;
    };
  }

  private static Set<FileName> removed(NodeId node, SilverRecord record) {
    Set<FileName> names = new HashSet<>();
    switch (record) {
      case SilverRecord.Unlink unlink -> addIf(unlink.directory(), node, unlink.name(), names);
      case SilverRecord.Rename rename -> {
        addIf(rename.from(), node, rename.fromName(), names);
        if (rename.replaced().isPresent()) {
          addIf(rename.to(), node, rename.toName(), names);
        }
      }
      case SilverRecord.Exchange exchange -> {
        addIf(exchange.from(), node, exchange.fromName(), names);
        addIf(exchange.to(), node, exchange.toName(), names);
      }
      default -> {}
    }
    return names;
  }

  private static void addIf(NodeId directory, NodeId node, FileName name, Set<FileName> names) {
    if (directory.equals(node)) {
      names.add(name);
    }
  }

  /** Reads one stream up to a version. */
  private final class Source {

    private final StreamReader reader;
    private final long before;
    private final boolean isEmpty;

    Source(StreamId stream, StreamEnds ends, long before) {
      this.before = before;
      this.reader = streams.open(stream).reader();
      this.isEmpty = ends.end(stream).equals(StreamAddress.ZERO);
      if (!isEmpty) {
        reader.sync(ends);
      }
    }

    Optional<StreamRead.Entry> next() {
      if (isEmpty) {
        return Optional.empty();
      }
      while (true) {
        switch (reader.readNext()) {
          case StreamRead.Entry entry -> {
            return entry.address().value() < before ? Optional.of(entry) : Optional.empty();
          }
          case StreamRead.Trimmed givenUp -> {} // the history begins behind it
          case StreamRead.Absent absent -> {
            return Optional.empty();
          }
        }
      }
    }
  }
}
