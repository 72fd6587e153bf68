package corfu.runtime.stream;

import corfu.protocol.Address;
import corfu.protocol.Backpointers;
import corfu.protocol.Epoch;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;
import corfu.runtime.CallScope;
import corfu.runtime.EntryPart;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plays the heads of a stream's entries: the first bytes of each payload. A large entry costs about
 * its head, and a small one its size; the heads of many entries are read together. Otherwise as
 * {@link StreamReader}: every entry that had been appended before the ends of a {@link #sync} were
 * asked for is returned, in the order of the stream.
 *
 * <p>For one thread at a time, except for {@link #addOwn}. Calls end like those of {@link
 * corfu.runtime.Log}; after a failure the same call may be repeated.
 */
public final class HeadReader {

  /** The number of heads that are read together. */
  private static final int TOGETHER = 256;

  private final StreamAccess access;
  private final StreamId stream;
  private final int headBytes;
  private final OwnHeads own = new OwnHeads();
  private final ArrayDeque<HeadRead> fetched = new ArrayDeque<>();

  private long wantedFrom;
  private boolean begun;
  private Optional<StreamEnds> goal = Optional.empty();
  private long knownBefore; // the log address below which all entries are found
  private HeadPlaces found; // the entries that are not fetched yet, from the position on
  private int position;
  private Epoch foundIn = Epoch.NONE;
  private long fetchedBefore; // the log address below which all entries are fetched

  HeadReader(StreamAccess access, StreamId stream, StreamAddress from, int headBytes) {
    if (headBytes < 1) {
      throw new IllegalArgumentException("a head has 1 byte or more, not " + headBytes);
    }
    this.access = access;
    this.stream = stream;
    this.headBytes = headBytes;
    this.wantedFrom = from.value();
    this.found = new HeadPlaces(access, stream, 0, wantedFrom);
  }

  public StreamId stream() {
    return stream;
  }

  /** Asks for the stream's end, and finds the entries up to it. */
  public void sync() {
    CallScope call = access.call();
    try {
      sync(new StreamEnds(List.of(stream), access.ends(List.of(stream))));
    } finally {
      call.end();
    }
  }

  /**
   * Finds the entries up to an end that was asked for before; see {@link Streams#ends}. Waits for
   * writers that are about to write, until the hole timeout at most. If the reader is beyond that
   * end already, nothing happens.
   *
   * @throws IllegalArgumentException if this stream's end was not asked for
   */
  public void sync(StreamEnds ends) {
    StreamPosition end = ends.of(stream);
    Backpointers last = end.previous();
    boolean isMore =
        last.isEmpty() ? !begun && end.streamAddress() > wantedFrom : last.at(0) >= knownBefore;
    if (isMore) {
      CallScope call = access.call();
      try {
        find(ends);
      } finally {
        call.end();
      }
    }
    begun = true;
  }

  /** Adds the entries up to the end to the found ones. A failure leaves these as they are. */
  private void find(StreamEnds ends) {
    StreamPosition end = ends.of(stream);
    var tokens = new HeadPlaces(access, stream, knownBefore, wantedFrom);
    if (begun
        && (isAllFetched() || foundIn.equals(ends.epoch()))
        && tokens.takeTokens(end, ends.began())) {
      append(tokens);
      foundIn = ends.epoch();
      knownBefore = end.previous().at(0) + 1;
      goal = Optional.of(ends);
    } else {
      lookUp(ends);
    }
  }

  private boolean isAllFetched() {
    return position == found.addresses.count();
  }

  private void append(HeadPlaces more) {
    if (isAllFetched()) {
      found = more;
      position = 0;
    } else {
      found.addresses.addAll(more.addresses);
      found.places.addAll(more.places);
    }
  }

  /** Looks up all entries that are not fetched yet, in one epoch. */
  private void lookUp(StreamEnds ends) {
    Epoch before = access.layout().epoch();
    var all = new HeadPlaces(access, stream, fetchedBefore, wantedFrom);
    all.lookUp(ends);
    Epoch after = access.layout().epoch();
    found = all;
    position = 0;
    foundIn = before.equals(after) ? after : Epoch.NONE; // looked up again before it is read
    goal = Optional.of(ends);
    knownBefore = fetchedBefore;
    if (all.addresses.count() > 0) {
      knownBefore = all.addresses.at(all.addresses.count() - 1) + 1;
    }
    Backpointers last = ends.of(stream).previous();
    if (!last.isEmpty() && foundIn.equals(ends.epoch())) {
      knownBefore = Math.max(knownBefore, last.at(0) + 1); // its tokens are decided
    }
    if (all.trimmedBefore > wantedFrom) {
      wantedFrom = all.trimmedBefore;
      fetched.add(new HeadRead.Trimmed(new StreamAddress(wantedFrom)));
    }
  }

  /**
   * Returns the next head. A trimmed part is reported once, in front of the next head. At the end
   * to which the reader was synced, returns {@link HeadRead.Absent}.
   */
  public HeadRead readNext() {
    if (fetched.isEmpty() && !isAllFetched()) {
      CallScope call = access.call();
      try {
        while (fetched.isEmpty() && !isAllFetched()) {
          fetch();
        }
      } finally {
        call.end();
      }
    }
    return fetched.isEmpty() ? HeadRead.Absent.ABSENT : fetched.removeFirst();
  }

  /** Returns the heads that {@link #readNext} will return without reading, in their order. */
  public List<HeadRead.Head> fetched() {
    List<HeadRead.Head> heads = new ArrayList<>(fetched.size());
    for (HeadRead next : fetched) {
      if (next instanceof HeadRead.Head head) {
        heads.add(head);
      }
    }
    return heads;
  }

  private void fetch() {
    int count = Math.min(TOGETHER, found.addresses.count() - position);
    List<HeadRead.Head> known = new ArrayList<>();
    List<PayloadRange> missing = new ArrayList<>();
    for (int i = position; i < position + count; i++) {
      long address = found.addresses.at(i);
      own.get(address)
          .ifPresentOrElse(known::add, () -> missing.add(new PayloadRange(address, 0, headBytes)));
    }
    List<EntryPart> parts = missing.isEmpty() ? List.of() : access.log().readParts(missing);
    if (!missing.isEmpty() && !access.layout().epoch().equals(foundIn)) {
      lookUp(goal.orElseThrow());
      return;
    }
    int nextPart = 0;
    int nextKnown = 0;
    for (int i = position; i < position + count; i++) {
      long address = found.addresses.at(i);
      if (nextKnown < known.size() && known.get(nextKnown).address().value() == address) {
        take(found.places.at(i), known.get(nextKnown++));
      } else {
        take(found.places.at(i), parts.get(nextPart++));
      }
    }
    position += count;
    fetchedBefore = found.addresses.at(position - 1) + 1;
    own.passed(fetchedBefore);
  }

  private void take(long place, EntryPart part) {
    switch (part) {
      case EntryPart.Data data ->
          take(
              place,
              new HeadRead.Head(
                  new StreamAddress(place), data.address(), data.payloadBytes(), data.bytes()));
      case EntryPart.Trimmed trimmed -> {
        if (fetched.peekLast() instanceof HeadRead.Trimmed) {
          fetched.removeLast();
        }
        fetched.add(new HeadRead.Trimmed(new StreamAddress(place + 1)));
        wantedFrom = Math.max(wantedFrom, place + 1);
      }
      case EntryPart.Hole hole -> {}
      case EntryPart.Unwritten unwritten -> {}
    }
  }

  private void take(long place, HeadRead.Head head) {
    if (place >= wantedFrom) {
      fetched.add(head);
      wantedFrom = place + 1;
    }
  }

  /** Passes over the entries before this place, as far as they are not found yet. */
  public void skipTo(StreamAddress from) {
    wantedFrom = Math.max(wantedFrom, from.value());
  }

  /**
   * Passes over the entries before this place, of which the caller knows already.
   *
   * @param below the log address behind the last of them: the caller knows all entries of the
   *     stream below it
   */
  public void skipTo(StreamAddress from, Address below) {
    skipTo(from);
    knownBefore = Math.max(knownBefore, below.value());
    fetchedBefore = Math.max(fetchedBefore, below.value());
    fetched.removeIf(
        read -> read instanceof HeadRead.Head head && head.address().compareTo(below) < 0);
    own.passed(fetchedBefore);
    begun = true;
  }

  /**
   * Returns the log address below which all entries of the stream are found: {@link #readNext} has
   * returned them or will, and no new one can appear there.
   */
  public Address foundBelow() {
    return new Address(knownBefore);
  }

  /**
   * Tells the reader of an entry that this client has appended. It returns the head in its turn
   * without reading it. It keeps a bounded number of such heads. Thread-safe.
   *
   * @param entry the outcome of the append
   * @param payload the entry's whole payload; its first bytes are copied
   * @throws IllegalArgumentException if the entry is not in the stream
   */
  public void addOwn(StreamAppend.Appended entry, ByteBuffer payload) {
    byte[] head = new byte[Math.min(headBytes, payload.remaining())];
    payload.get(payload.position(), head);
    own.add(
        new HeadRead.Head(
            entry.in(stream), entry.address(), payload.remaining(), ByteBuffer.wrap(head)));
  }
}
