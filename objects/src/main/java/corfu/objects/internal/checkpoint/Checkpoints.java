package corfu.objects.internal.checkpoint;

import corfu.objects.History;
import corfu.objects.UndecodableEntryException;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.value.LogValues;
import corfu.objects.internal.value.ValueSearch;
import corfu.objects.record.Catalogued;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointMark;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Updates;
import corfu.objects.serial.ContentDigest;
import corfu.objects.serial.SerializationException;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.StreamAccess;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The checkpoints of an object: its state at some log address, saved in two streams of their own. A
 * mark in the object's stream says which state a checkpoint will contain. The writer appends the
 * parts to one stream. When all parts are there, it appends an end to the other stream. A
 * checkpoint without an end does not count, so a client that crashes while it writes a checkpoint
 * leaves nothing but a mark and a few parts.
 *
 * <p>History is trimmed only behind a checkpoint whose end is in the log.
 */
public final class Checkpoints<T> implements ValueSearch {

  /** Where all history is kept, older ones are of use only to those who read the past. */
  private static final int KEPT = 4;

  /** The names of the two streams begin so; servers know them, and give the object's rights. */
  private static final String ENDS = "corfu.objects/checkpoints/";

  private static final String PARTS = "corfu.objects/checkpoint-parts/";

  private final ObjectContext<T> object;
  private final LogValues values;
  private final Runnable fetched;
  private final LogStream ends;
  private final LogStream parts;

  /**
   * Where playing can begin.
   *
   * @param state holds all changes below {@code before}
   * @param resume where in the object's stream to go on
   * @param bytes of the checkpoint that it was read from; 0: it was made
   * @param anchor where its values are that stay in the log: at this log address
   */
  public record Start<T>(T state, long before, StreamAddress resume, long bytes, long anchor) {}

  /** A checkpoint that is complete, and where its end is. */
  private record Complete(StreamAddress at, Address address, CheckpointEnd end) {}

  /** One that was begun, and where it says so. */
  private record Begun(Address address, CheckpointMark mark) {}

  /** The checkpoints in the stream of ends: complete, and begun. */
  private record Listing(List<Complete> complete, List<Begun> begun) {}

  /**
   * @param fetched told of each part of a checkpoint that a state is read from
   */
  public Checkpoints(ObjectContext<T> object, LogValues values, Runnable fetched) {
    this.object = object;
    this.values = values;
    this.fetched = fetched;
    this.ends = object.client().streams().open(endsOf(object.stream()));
    this.parts = object.client().streams().open(partsOf(object.stream()));
  }

  /** Has the client remember the names of an object's streams for servers with permissions. */
  public static void remember(StreamId object, StreamAccess access) {
    var unusedEnds = access.named(ENDS + object);
    var unusedParts = access.named(PARTS + object);
  }

  /** The stream that tells which checkpoints of an object are begun, and complete. */
  public static StreamId endsOf(StreamId object) {
    return StreamId.named(ENDS + object);
  }

  public static StreamId partsOf(StreamId object) {
    return StreamId.named(PARTS + object);
  }

  // ------------------------------------------------------------------------------------- reading

  /** The newest state that holds nothing from {@code limit} on; at worst an empty one. */
  public Start<T> start(long limit) {
    Optional<CheckpointEnd> tried = Optional.empty();
    while (true) {
      List<Complete> fitting = fitting(list(), limit).reversed();
      for (Complete checkpoint : fitting) {
        Optional<T> state = load(checkpoint);
        if (state.isPresent()) {
          CheckpointEnd end = checkpoint.end;
          StreamAddress resume = new StreamAddress(end.resume());
          return new Start<>(state.get(), end.before(), resume, end.bytes(), end.before());
        }
      }
      Optional<CheckpointEnd> newest = fitting.stream().findFirst().map(Complete::end);
      if (newest.equals(tried)) {
        return empty();
      }
      tried = newest; // somebody forgot it while we read it: then there is a newer one
    }
  }

  /** Where an object begins to which nothing has happened. */
  public Start<T> empty() {
    return new Start<>(object.type().create(), 0, StreamAddress.ZERO, 0, 0);
  }

  /** The newest state that holds nothing from {@code limit} on, if that entry is in it. */
  public Optional<Start<T>> startBehind(Address entry, long limit) {
    return fitting(list(), limit).stream().anyMatch(each -> each.end.before() > entry.value())
        ? Optional.of(start(limit)).filter(start -> start.before() > entry.value())
        : Optional.empty();
  }

  /** Whether there is one of the view's type. */
  public boolean hasAny() {
    return !fitting(list(), Long.MAX_VALUE).isEmpty();
  }

  private Listing list() {
    Listing listing = new Listing(new ArrayList<>(), new ArrayList<>());
    StreamAddress tail = ends.tail();
    if (tail.equals(StreamAddress.ZERO)) {
      return listing;
    }
    for (StreamRead read : ends.read(StreamAddress.ZERO, tail)) {
      if (read instanceof StreamRead.Entry entry) {
        ObjectRecord record = RecordCodec.decode(ends.id(), entry.payload());
        switch (record) {
          case CheckpointEnd end ->
              listing.complete.add(new Complete(entry.streamAddress(), entry.address(), end));
          case CheckpointMark mark -> listing.begun.add(new Begun(entry.address(), mark));
          case Catalogued named -> {}
          case CheckpointPart part -> {}
          case Updates updates -> {}
        }
      }
    }
    return listing;
  }

  /** Those of our type that are old enough, the oldest state first. */
  private List<Complete> fitting(Listing listing, long limit) {
    return fitting(listing, object.type().stateName(), limit);
  }

  private static List<Complete> fitting(Listing listing, String stateName, long limit) {
    return listing.complete.stream()
        .filter(each -> each.end.stateName().equals(stateName))
        .filter(each -> each.end.before() <= limit)
        .sorted(Comparator.comparingLong(each -> each.end.before()))
        .toList();
  }

  /** Empty if parts of it are trimmed: then there is a newer one, or nobody should have. */
  private Optional<T> load(Complete checkpoint) {
    CheckpointEnd end = checkpoint.end;
    try {
      return Optional.of(
          object.snapshots().load(new CheckpointValues(object, values, parts, end, fetched)));
    } catch (NoSuchElementException trimmed) {
      return Optional.empty();
    } catch (SerializationException e) {
      throw new UndecodableEntryException(
          checkpoint.address,
          "the checkpoint of object %s whose end is at address %s: %s"
              .formatted(object.name(), checkpoint.address, e.getMessage()),
          e);
    }
  }

  @Override
  public long find(Set<ContentDigest> wanted, Map<ContentDigest, ByteBuffer> found) {
    long newest = -1;
    while (true) {
      List<Complete> ours = fitting(list(), Long.MAX_VALUE).reversed();
      long tried = newest;
      newest = ours.isEmpty() ? 0 : ours.getFirst().end.before();
      if (newest == tried || found.size() == wanted.size()) {
        return newest;
      }
      for (Complete checkpoint : ours) {
        try {
          new CheckpointValues(object, values, parts, checkpoint.end, () -> {}).find(wanted, found);
        } catch (NoSuchElementException trimmed) {
          // there is a newer one
        }
      }
    }
  }

  @Override
  public String history() {
    List<Complete> all = list().complete;
    String said = all.isEmpty() ? "" : all.getLast().end.history();
    return said.isEmpty() ? "somebody called forget" : said;
  }

  // ------------------------------------------------------------------------------------ trimming

  /**
   * Forgets what is older than the newest checkpoint that is no newer than {@code limit}, and than
   * the snapshots that this client reads: neither can be read any more.
   *
   * @return the log address from which on the object's history is kept; empty: all of it, as there
   *     is no such checkpoint
   */
  public Optional<Address> forget(Address limit) {
    Listing listing = list();
    long unread = Math.min(limit.value(), object.client().oldestSnapshot());
    List<Complete> fitting = fitting(listing, unread);
    if (fitting.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(forgetBefore(fitting.getLast().end, listing));
  }

  private Address forgetBefore(CheckpointEnd kept, Listing listing) {
    List<Complete> needed =
        listing.complete.stream().filter(each -> each.end.before() >= kept.before()).toList();
    object.client().streams().open(object.stream()).trim(new StreamAddress(kept.resume()));
    trimCheckpoints(needed);
    return new Address(kept.before());
  }

  private void trimCheckpoints(List<Complete> needed) {
    long firstPart = needed.stream().mapToLong(each -> each.end.firstPart()).min().orElseThrow();
    parts.trim(new StreamAddress(firstPart));
    ends.trim(needed.stream().map(Complete::at).min(Comparator.naturalOrder()).orElseThrow());
  }

  /**
   * Forgets what a policy allows to forget, and nothing that a snapshot of this client still reads,
   * or another type's views of the same stream need.
   */
  void apply(History history) {
    Listing listing = list();
    if (history instanceof History.ForEver) {
      thin(listing);
      return;
    }
    long allowed =
        switch (history) {
          case History.ForEver all -> 0;
          case History.From from -> from.first().value();
          case History.Addresses newest ->
              object.client().streamEnds().highest() - Math.min(newest.count(), Long.MAX_VALUE / 2);
          case History.Age age -> behind(listing, age.time().toMillis());
        };
    long limit = Math.min(allowed, object.client().oldestSnapshot());
    Optional<CheckpointEnd> kept =
        stateNames(listing)
            .map(name -> fitting(listing, name, limit))
            .map(
                all ->
                    all.isEmpty()
                        ? Optional.<CheckpointEnd>empty()
                        : Optional.of(all.getLast().end))
            .min(Comparator.comparingLong(end -> end.map(CheckpointEnd::before).orElse(-1L)))
            .orElseThrow();
    kept.ifPresent(
        end -> {
          var unused = forgetBefore(end, listing);
        });
  }

  /** Ours, and of all types that have checkpoints or are writing the first one. */
  private Stream<String> stateNames(Listing listing) {
    List<Complete> ours = fitting(listing, Long.MAX_VALUE);
    long alive = ours.size() < 2 ? 0 : ours.get(ours.size() - 2).end.before();
    return Stream.of(
            Stream.of(object.type().stateName()),
            listing.complete.stream().map(each -> each.end.stateName()),
            listing.begun.stream() // of others nothing has come, nor will
                .filter(each -> each.address.value() >= alive)
                .map(each -> each.mark.stateName()))
        .flatMap(names -> names)
        .distinct();
  }

  /** Where the newest of our checkpoints is that was written as long ago. */
  private long behind(Listing listing, long millis) {
    long then = object.client().world().wallTimeMillis() - millis;
    return fitting(listing, Long.MAX_VALUE).stream()
        .filter(each -> each.end.wallTimeMillis() <= then)
        .mapToLong(each -> each.end.before())
        .max()
        .orElse(0);
  }

  /** Gives up old checkpoints where all history is there: so nothing is lost but time. */
  private void thin(Listing listing) {
    List<Complete> needed =
        stateNames(listing)
            .map(name -> fitting(listing, name, Long.MAX_VALUE))
            .flatMap(all -> all.subList(Math.max(0, all.size() - KEPT), all.size()).stream())
            .toList();
    boolean isWhole =
        !(object.client().streams().open(object.stream()).read(StreamAddress.ZERO)
            instanceof StreamRead.Trimmed);
    if (isWhole && needed.size() < listing.complete.size()) {
      trimCheckpoints(needed);
    }
  }
}
