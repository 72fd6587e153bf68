package corfu.store;

import corfu.protocol.Address;
import corfu.smr.Command;
import corfu.smr.StateMachine;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The index of the store: it maps each key to the place of its value in the log (the map service of
 * CORFU, section 4). Every client of the store has one.
 */
final class StoreMachine implements StateMachine {

  private final ValueCache cache;
  private OrderedIndex index = OrderedIndex.EMPTY;
  private long lastChange = IndexCommand.NONE;
  private Address floor = new Address(0);

  /**
   * @param cache receives the values of applied commands
   */
  StoreMachine(ValueCache cache) {
    this.cache = cache;
  }

  OrderedIndex index() {
    return index;
  }

  /** Returns the version of the newest change, or -1 before the first. */
  long lastChange() {
    return lastChange;
  }

  @Override
  public byte[] apply(Command command) {
    return switch (IndexCommand.decode(command.body())) {
      case IndexCommand.Write write -> apply(write, command).encoded();
      case IndexCommand.Move(var values) -> {
        for (IndexCommand.Moved one : values) {
          Optional<ValueLocation> there = index.find(one.key());
          if (there.isPresent() && there.get().version() == one.version()) {
            ValueLocation moved = slot(one.version(), one.at(), one.value(), command);
            index = index.with(one.key(), moved);
            cache.follow(there, moved, one.value());
          }
        }
        yield new IndexReply.Done(command.address().value()).encoded();
      }
      case IndexCommand.Floor(Address address) -> {
        floor = address.compareTo(floor) > 0 ? address : floor;
        yield new IndexReply.Done(command.address().value()).encoded();
      }
    };
  }

  private IndexReply apply(IndexCommand.Write write, Command command) {
    if (write.unchangedSince().isPresent() && write.unchangedSince().getAsLong() != lastChange) {
      return new IndexReply.Refused(Optional.empty(), OptionalLong.of(lastChange));
    }
    for (IndexCommand.Expectation one : write.expected()) {
      Optional<ValueLocation> there = index.find(one.key());
      OptionalLong version =
          there.isPresent() ? OptionalLong.of(there.get().version()) : OptionalLong.empty();
      if (!version.equals(one.version())) {
        return new IndexReply.Refused(Optional.of(one.key()), version);
      }
    }
    for (IndexCommand.Change change : write.changes()) {
      if (change instanceof IndexCommand.Elsewhere there && there.address().compareTo(floor) < 0) {
        return IndexReply.Stale.STALE;
      }
    }
    long version = command.address().value();
    for (IndexCommand.Change change : write.changes()) {
      switch (change) {
        case IndexCommand.Remove(String key) -> index = index.without(key);
        case IndexCommand.Inline(String key, int at, ByteBuffer value) -> {
          Optional<ValueLocation> before = index.find(key);
          ValueLocation now = slot(version, at, value, command);
          index = index.with(key, now);
          cache.follow(before, now, value);
        }
        case IndexCommand.Elsewhere(String key, Address address, int offset, int length) ->
            index = index.with(key, new ValueLocation(version, address, offset, length));
      }
    }
    if (!write.changes().isEmpty()) {
      lastChange = version;
    }
    return new IndexReply.Done(version);
  }

  private static ValueLocation slot(long version, int at, ByteBuffer value, Command command) {
    return new ValueLocation(version, command.address(), command.offset() + at, value.remaining());
  }

  @Override
  public Saved save() {
    OrderedIndex kept = index;
    long change = lastChange;
    Address below = floor;
    return out -> write(kept, change, below, out);
  }

  private static void write(OrderedIndex index, long change, Address floor, DataOutput out)
      throws IOException {
    out.writeLong(change);
    out.writeLong(floor.value());
    out.writeInt(index.size());
    for (Map.Entry<String, ValueLocation> entry : index) {
      ValueLocation slot = entry.getValue();
      out.writeUTF(entry.getKey());
      out.writeLong(slot.version());
      out.writeLong(slot.address().value());
      out.writeInt(slot.offset());
      out.writeInt(slot.length());
    }
  }

  @Override
  public void load(DataInput in) throws IOException {
    try {
      read(in);
    } catch (IllegalArgumentException negative) {
      throw new IOException("damaged: " + negative.getMessage(), negative);
    }
  }

  private void read(DataInput in) throws IOException {
    lastChange = in.readLong();
    floor = new Address(in.readLong());
    int count = in.readInt();
    OrderedIndex loaded = OrderedIndex.EMPTY;
    for (int i = 0; i < count; i++) {
      String key = in.readUTF();
      long version = in.readLong();
      var address = new Address(in.readLong());
      loaded = loaded.with(key, new ValueLocation(version, address, in.readInt(), in.readInt()));
    }
    index = loaded;
  }
}
