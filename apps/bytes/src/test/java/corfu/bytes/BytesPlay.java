package corfu.bytes;

import corfu.bytes.internal.checkpoint.Checkpoints;
import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.Streams;
import corfu.sim.application.Application;
import corfu.sim.application.ApplicationClient;
import corfu.sim.application.ApplicationContext;
import corfu.sim.application.ApplicationRun;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Clients of a few arrays do all that arrays can do. In the end, each version that a client has
 * read is compared with the model, which applies whole entries in the order of the log. The model's
 * versions are the history's sequential states. So a read is linearizable if its version has all
 * changes that had ended before the read, all that earlier reads had, and none that began after it.
 */
final class BytesPlay implements ApplicationRun {

  private static final int ARRAYS = 3;
  private static final int MOST_CHILDREN = 12;
  private static final int SMALL = 300;
  private static final int LARGE = 40_000;
  private static final int MANY = 700;
  private static final long THINK_NANOS_MAX = 300_000_000L;

  /** A bug of a client library, which the checks must report. */
  enum Bug {
    NONE,
    /** Reads of the newest version go to ends that were asked for long before. */
    STALE_ENDS,
    /** A version is taken for the next one. */
    WRONG_VERSION
  }

  /** A read of a range of a version. */
  private record Seen(
      String client,
      StreamId stream,
      long before,
      long offset,
      int length,
      byte[] bytes,
      ByteBuffer note,
      long change) {}

  /** A read of the newest version. */
  private record Newest(StreamId stream, long invoked, long returned, long before) {}

  /** A change that has returned. */
  private record Changed(StreamId stream, long returned, long before) {}

  /** A copy of a range that has returned: then these bytes must be in the target. */
  private record Copied(
      StreamId source,
      long sourceBefore,
      long from,
      int length,
      StreamId target,
      long before,
      long to) {}

  private final ApplicationContext stage;
  private final Bug bug;
  private final Map<StreamId, Optional<BytesOrigin>> arrays = new LinkedHashMap<>();
  private final List<Long> versions = new ArrayList<>();
  private final List<Seen> seen = new ArrayList<>();
  private final List<Newest> newest = new ArrayList<>();
  private final List<Changed> changed = new ArrayList<>();
  private final List<Copied> copied = new ArrayList<>();
  private final Map<ByteBuffer, Long> invoked = new HashMap<>(); // changes, by their notes
  private final WriterPlay writerPlay;
  private final ScratchPlay scratchPlay;

  private BytesPlay(ApplicationContext stage, Bug bug) {
    this.stage = stage;
    this.bug = bug;
    for (int i = 0; i < ARRAYS; i++) {
      arrays.put(StreamId.named("array " + i), Optional.empty());
    }
    WriterPlay.disks().forEach(disk -> arrays.put(disk, Optional.empty()));
    this.writerPlay = new WriterPlay(stage, invoked);
    this.scratchPlay = new ScratchPlay(stage);
  }

  static Application application(Bug bug) {
    return stage -> new BytesPlay(stage, bug);
  }

  @Override
  public Consumer<ApplicationClient> enter(ApplicationClient process) {
    RandomGenerator chance = process.chance();
    BytesOptions options =
        BytesOptions.DEFAULT
            .withMaxEntryBytes(chance.nextBoolean() ? 4 << 10 : 64 << 10)
            .withRecentVersions(1 + chance.nextInt(8))
            .withMaxPageBytes(chance.nextBoolean() ? 0 : 1 << 20)
            .withCheckpointsFrom(1 + chance.nextInt(10));
    BytesStore store = BytesStore.over(process.corfu(), options);
    return seat -> new Client(seat, store, Streams.over(seat.corfu())).run();
  }

  /** One thread. */
  private final class Client {

    private final ApplicationClient seat;
    private final RandomGenerator chance;
    private final BytesStore store;
    private final Streams streams;
    private final Map<StreamId, StreamEnds> oldEnds = new HashMap<>();
    private final WriterPlay.Writers writers;
    private final ScratchPlay.Writers scratchWriters;

    Client(ApplicationClient seat, BytesStore store, Streams streams) {
      this.seat = seat;
      this.chance = seat.chance();
      this.store = store;
      this.streams = streams;
      this.scratchWriters = scratchPlay.new Writers(seat, store);
      this.writers =
          writerPlay
          .new Writers(
              seat,
              store,
              (begun, view) ->
                  newest.add(
                      new Newest(view.stream(), begun, stage.now(), view.version().value())));
    }

    void run() {
      while (!seat.isOver().getAsBoolean()) {
        try {
          doSomething();
        } catch (CorfuException failed) {
          stage.count("call, failed");
        } catch (ArrayHasWriterException refused) {
          stage.count("change of an array with a writer");
        } catch (RuntimeException failure) {
          stage.unexpected(seat.name(), failure);
        }
        long most = chance.nextLong(1, THINK_NANOS_MAX);
        seat.world().pause(Duration.ofNanos(chance.nextLong(most)));
      }
    }

    private void doSomething() {
      VersionedBytes array = array();
      switch (chance.nextInt(32)) {
        case 0, 1, 2 -> {
          ByteBuffer data = data();
          int offset = offset();
          change("write", array, note -> array.write(offset, data, note));
        }
        case 3, 4 -> {
          ByteBuffer few = data(1 + chance.nextInt(SMALL));
          change("append", array, note -> array.append(few, note));
        }
        case 5 -> change("truncate", array, note -> array.truncate(offset(), note));
        case 6 -> change("punch", array, note -> array.punch(offset(), offset(), note));
        case 7 -> cloneIt(array);
        case 8, 9 -> copy(array);
        case 10 -> ownEntry(array);
        case 11 -> child();
        case 12 -> {
          if (chance.nextBoolean()) {
            store.close(array);
            stage.count("close");
          } else {
            array.checkpoint();
            stage.count("checkpoint");
          }
        }
        case 13, 14 -> lookBack(array);
        case 15, 16, 17, 18, 19, 20 -> {
          BytesView view = writers.act();
          look("read at a writer", view.stream(), view.version().value(), view);
        }
        case 21, 22, 23, 24 -> scratchWriters.act();
        case 25 -> scatter(array);
        case 26 -> trimCheckpoints(array);
        default -> readNewest(array);
      }
    }

    private VersionedBytes array() {
      List<StreamId> all = List.copyOf(arrays.keySet());
      StreamId id = all.get(chance.nextInt(all.size()));
      return store.open(id, originOf(id));
    }

    private int offset() {
      return chance.nextInt(chance.nextInt(10) == 0 ? LARGE : SMALL);
    }

    private ByteBuffer data() {
      return data(1 + offset());
    }

    private ByteBuffer data(int length) {
      byte[] bytes = new byte[length];
      chance.nextBytes(bytes);
      return ByteBuffer.wrap(bytes);
    }

    // ---------------------------------------------------------------------------------- changes

    private void change(String what, VersionedBytes array, Function<ByteBuffer, Address> call) {
      ByteBuffer note = ByteBuffer.allocate(Long.BYTES).putLong(stage.newValue()).flip();
      invoked.put(note, stage.now());
      Address version = call.apply(note);
      changed.add(new Changed(array.id(), stage.now(), version.value()));
      versions.add(version.value());
      stage.count(what);
    }

    private void cloneIt(VersionedBytes target) {
      StreamId source = StreamId.named("array " + chance.nextInt(ARRAYS));
      if (chance.nextBoolean() || versions.isEmpty()) {
        change("clone", target, note -> store.cloneNewest(source, target.id(), note));
      } else {
        Address version = someVersion();
        change("clone", target, note -> store.clone(source, version, target.id(), note));
      }
    }

    private Address someVersion() {
      return new Address(versions.get(chance.nextInt(versions.size())));
    }

    private void copy(VersionedBytes target) {
      VersionedBytes from = array();
      BytesView source = from.newest();
      int offset = offset();
      int length = 1 + offset();
      int to = offset();
      change("copy", target, note -> copied(source, from, offset, length, target, to, note));
    }

    private Address copied(
        BytesView source,
        VersionedBytes from,
        int offset,
        int length,
        VersionedBytes target,
        int to,
        ByteBuffer note) {
      Address version = target.copyRange(source, offset, length, to, note);
      if (source.size() > offset) {
        copied.add(
            new Copied(
                from.id(),
                source.version().value(),
                offset,
                (int) Math.min(length, source.size() - offset),
                target.id(),
                version.value(),
                to));
      }
      return version;
    }

    /** An entry of the application, in a stream of its own, too. */
    private void ownEntry(VersionedBytes array) {
      ByteBuffer data = data(1 + chance.nextInt(SMALL));
      change(
          "own entry",
          array,
          note -> {
            ByteBuffer payload = BytesRecords.write(note, 0, data);
            StreamId other = StreamId.named("directory");
            StreamAppend.Appended appended = streams.append(List.of(other, array.id()), payload);
            return chance.nextBoolean()
                ? array.appended(appended, payload)
                : new Address(appended.address().value() + 1);
          });
    }

    /** Many small extents, so that the map has many pages: bytes of one entry in another order. */
    private void scatter(VersionedBytes array) {
      ByteBuffer data = data(SMALL);
      int length = 2 * MANY;
      int to = offset();
      change(
          "scatter",
          array,
          note -> {
            StreamAppend.Appended source =
                streams.append(
                    List.of(StreamId.named("directory")), BytesRecords.append(note, data));
            List<Extent> extents = new ArrayList<>();
            int header = RecordCodec.append(note, data).remaining() - data.remaining();
            for (int i = 0; i < MANY; i++) {
              int position = header + chance.nextInt(data.remaining());
              extents.add(new Extent(to + 2L * i, 1, source.address().value(), position));
            }
            var copy = new BytesRecord.Copy(to, length, extents);
            ByteBuffer payload = RecordCodec.encode(note, copy);
            return array.appended(streams.append(List.of(array.id()), payload), payload);
          });
    }

    /** Checkpoints say nothing that the array's stream does not say: any of them may be lost. */
    private void trimCheckpoints(VersionedBytes array) {
      LogStream checkpoints = streams.open(Checkpoints.streamOf(array.id()));
      long end = checkpoints.tail().value();
      checkpoints.trim(new StreamAddress(chance.nextLong(end + 1)));
      stage.count("trim checkpoints");
    }

    /** A new array begins as a version of another one. */
    private void child() {
      if (arrays.size() < MOST_CHILDREN) {
        BytesOrigin origin = array().newest().asOrigin();
        arrays.put(StreamId.named("child " + stage.newValue()), Optional.of(origin));
        stage.count("child");
      }
    }

    // ------------------------------------------------------------------------------------ reads

    private void readNewest(VersionedBytes array) {
      long begun = stage.now();
      BytesView view;
      if (bug == Bug.STALE_ENDS) {
        view = store.open(array.id(), array.origin()).newest(oldEnds(array.id()));
      } else if (chance.nextBoolean()) {
        view = array.newest(streams.ends(List.of(array.id(), StreamId.named("directory"))));
      } else {
        view = array.newest();
      }
      newest.add(new Newest(array.id(), begun, stage.now(), view.version().value()));
      versions.add(view.version().value());
      look("read", array.id(), view.version().value(), view);
    }

    private StreamEnds oldEnds(StreamId stream) {
      return oldEnds.computeIfAbsent(stream, id -> streams.ends(List.of(id)));
    }

    private void lookBack(VersionedBytes array) {
      if (versions.isEmpty()) {
        return;
      }
      Address version = someVersion();
      try {
        BytesView view = array.at(version);
        long taken = bug == Bug.WRONG_VERSION ? view.version().value() - 1 : version.value();
        look("look at the past", array.id(), Math.max(0, taken), view);
      } catch (IllegalArgumentException beyond) {
        if (stage.isUpToDate()) { // otherwise the client may not have heard of it
          throw beyond;
        }
      }
    }

    private void look(String what, StreamId stream, long before, BytesView view) {
      int offset = chance.nextInt(3) == 0 ? offset() : 0;
      int length = chance.nextInt(3) == 0 ? 1 + offset() : 2 * LARGE;
      ByteBuffer read = view.read(offset, length);
      byte[] bytes = new byte[read.remaining()];
      read.get(bytes);
      long change = view.lastChange().map(Address::value).orElse(-1L);
      seen.add(new Seen(seat.name(), stream, before, offset, length, bytes, view.note(), change));
      stage.count(what);
    }
  }

  private Optional<BytesOrigin> originOf(StreamId stream) {
    return arrays.getOrDefault(stream, Optional.empty());
  }

  @Override
  public void audit(ApplicationClient auditor) {
    Corfu corfu = auditor.corfu();
    BytesModel model = new BytesModel(corfu, arrays);
    BytesStore store = BytesStore.over(corfu);
    arrays.forEach(
        (stream, origin) -> {
          long begun = stage.now();
          BytesView view = store.open(stream, origin).newest();
          newest.add(new Newest(stream, begun, stage.now(), view.version().value()));
          ByteBuffer all = view.read(0, 4 * LARGE);
          BytesModel.Content expected = model.at(stream, Long.MAX_VALUE);
          if (!all.equals(ByteBuffer.wrap(expected.bytes()))) {
            stage.broken("Bytes", "a new client reads other bytes than the log holds: " + stream);
          }
        });
    if (stage.isUpToDate()) {
      scratchPlay.audit(store);
      seen.forEach(one -> checkContent(one, model));
      copied.forEach(one -> checkCopy(one, model));
      newest.forEach(one -> checkNewest(one, model));
      writerPlay.check(model);
    }
  }

  private void checkContent(Seen one, BytesModel model) {
    BytesModel.Content expected = model.at(one.stream(), one.before());
    if (!Arrays.equals(expected.range(one.offset(), one.length()), one.bytes())
        || !expected.note().equals(one.note())
        || expected.change() != one.change()) {
      stage.broken(
          "Bytes",
          "%s read version %d of %s, bytes %d to %d, with the last change at %d, but it was at %d"
              .formatted(
                  one.client(),
                  one.before(),
                  one.stream(),
                  one.offset(),
                  one.offset() + one.bytes().length,
                  one.change(),
                  expected.change()));
    }
  }

  private void checkCopy(Copied one, BytesModel model) {
    if (model.at(one.target(), one.before()).isHeld()) {
      return; // an array with a writer: the copy has no effect
    }
    byte[] source = model.at(one.source(), one.sourceBefore()).range(one.from(), one.length());
    byte[] target = model.at(one.target(), one.before()).range(one.to(), one.length());
    if (!Arrays.equals(source, target)) {
      stage.broken("Bytes", "a copy has other bytes than its source: " + one);
    }
  }

  private void checkNewest(Newest read, BytesModel model) {
    for (Changed change : changed) {
      if (change.stream().equals(read.stream())
          && change.returned() < read.invoked()
          && change.before() > read.before()) {
        stage.broken("Linearizable", "%s misses %s".formatted(read, change));
      }
    }
    for (Newest earlier : newest) {
      if (earlier.stream().equals(read.stream())
          && earlier.returned() < read.invoked()
          && earlier.before() > read.before()) {
        stage.broken("Linearizable", "%s is older than %s".formatted(read, earlier));
      }
    }
    for (long address : model.entriesBelow(read.stream(), read.before())) {
      ByteBuffer note = model.notes().get(address);
      Long begun = invoked.get(note);
      if (note != null && !note.hasRemaining()) {
        continue; // a writer came or left
      }
      if (begun == null || begun > read.returned()) {
        stage.broken("Linearizable", "%s has a later change, at %d".formatted(read, address));
      }
    }
  }

  @Override
  public void check() {} // the audit has checked everything
}
