package corfu.roles.logunit.stream;

import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.options.FollowerBounds;
import corfu.world.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The followers of streams, with the new entries that wait for them (the reliable multicast of
 * CORFU, section 4). A server can only answer requests: a follower listens, and is answered when
 * there are new entries. The entries are a hint. A follower that must not miss any compares them
 * with the log.
 *
 * <p>All followers end with the epoch. A silent follower is forgotten when another one needs its
 * room, or when an entry would wait for it. Therefore no timers are needed.
 */
public final class Followers {

  private final World world;
  private final FollowerBounds bounds;
  private final int maxReplyBytes;
  private final Map<Long, Follower> followers = new HashMap<>();
  private final Map<StreamId, List<Follower>> byStream = new HashMap<>();
  private int streams; // of all followers
  private long bytes; // that wait for all followers

  private static final class Follower {
    final Set<StreamId> streams = new HashSet<>();
    final ArrayDeque<Entry> waiting = new ArrayDeque<>();
    long waitingBytes;
    boolean hasMissed;
    long heardOfNanos;
    int maxBytes;
    @Nullable Consumer<Reply> listening;
  }

  public Followers(World world, FollowerBounds bounds, int maxReplyBytes) {
    this.world = world;
    this.bounds = bounds;
    this.maxReplyBytes = maxReplyBytes;
  }

  /** Returns whether some follower wants the entry. */
  public boolean wants(Entry entry) {
    if (byStream.isEmpty()) {
      return false;
    }
    for (int i = 0; i < entry.streamCount(); i++) {
      if (byStream.containsKey(entry.streamId(i))) {
        return true;
      }
    }
    return false;
  }

  public LogUnitReply follow(LogUnitRequest.Follow request) {
    Follower follower = followers.get(request.follower());
    if (follower == null) {
      if (followers.size() >= bounds.followers()) {
        forgetTheSilent();
      }
      if (followers.size() >= bounds.followers()) {
        return new LogUnitReply.Following(0);
      }
      follower = new Follower();
      followers.put(request.follower(), follower);
    }
    follower.heardOfNanos = world.nanoTime();
    for (StreamId stream : request.remove()) {
      remove(follower, stream);
    }
    for (StreamId stream : request.add()) {
      if (!follower.streams.contains(stream) && !add(follower, stream)) {
        break; // none behind it, so that the follower knows which ones had room
      }
    }
    return new LogUnitReply.Following(follower.streams.size());
  }

  /** Adds a stream to a follower. Returns false if there is no room for it. */
  private boolean add(Follower follower, StreamId stream) {
    if (streams >= bounds.streams()) {
      forgetTheSilent();
    }
    if (streams >= bounds.streams()) {
      return false;
    }
    follower.streams.add(stream);
    byStream.computeIfAbsent(stream, of -> new ArrayList<>(1)).add(follower);
    streams++;
    return true;
  }

  private void remove(Follower follower, StreamId stream) {
    if (follower.streams.remove(stream)) {
      leave(follower, stream);
    }
  }

  private void leave(Follower follower, StreamId stream) {
    List<Follower> those = byStream.get(stream);
    if (those != null) {
      those.remove(follower);
      if (those.isEmpty()) {
        byStream.remove(stream);
      }
    }
    streams--;
  }

  public void listen(LogUnitRequest.Listen request, Consumer<Reply> reply) {
    Follower follower = followers.get(request.follower());
    if (follower == null) {
      reply.accept(
          new Failure.NotServing(
              "this log unit knows no follower %x in epoch %s; follow the streams anew"
                  .formatted(request.follower(), request.epoch())));
      return;
    }
    follower.heardOfNanos = world.nanoTime();
    Consumer<Reply> before = follower.listening;
    follower.listening = reply;
    follower.maxBytes = Math.min(request.maxBytes(), maxReplyBytes);
    if (before != null) {
      before.accept(new LogUnitReply.Heard(false, List.of()));
    }
    answer(follower);
  }

  /** Reports an entry that may be shown from now on. The entry must be in memory of its own. */
  public void settled(Entry entry) {
    List<Follower> those = concerned(entry);
    for (Follower follower : those) {
      if (follower.listening == null && isSilent(follower)) {
        forgetTheSilent();
        settled(entry, those);
        return;
      }
    }
    settled(entry, those);
  }

  private void settled(Entry entry, List<Follower> those) {
    for (Follower follower : those) {
      keep(follower, entry);
      answer(follower);
    }
  }

  private List<Follower> concerned(Entry entry) {
    if (entry.streamCount() == 1) {
      return List.copyOf(byStream.getOrDefault(entry.streamId(0), List.of()));
    }
    List<Follower> those = new ArrayList<>();
    for (int i = 0; i < entry.streamCount(); i++) {
      for (Follower follower : byStream.getOrDefault(entry.streamId(i), List.of())) {
        if (!those.contains(follower)) {
          those.add(follower);
        }
      }
    }
    return those;
  }

  private void keep(Follower follower, Entry entry) {
    if (follower.streams.isEmpty()) {
      return; // it was just forgotten
    }
    int length = entry.lengthBytes();
    if (follower.waitingBytes + length > bounds.bytesEach() || bytes + length > bounds.bytes()) {
      drop(follower);
      follower.hasMissed = true;
    } else {
      follower.waiting.add(entry);
      follower.waitingBytes += length;
      bytes += length;
    }
  }

  private void drop(Follower follower) {
    bytes -= follower.waitingBytes;
    follower.waitingBytes = 0;
    follower.waiting.clear();
  }

  private void answer(Follower follower) {
    Consumer<Reply> listening = follower.listening;
    if (listening == null || (follower.waiting.isEmpty() && !follower.hasMissed)) {
      return;
    }
    List<Entry> some = new ArrayList<>();
    long left = follower.maxBytes;
    while (!follower.waiting.isEmpty()
        && (some.isEmpty() || follower.waiting.getFirst().lengthBytes() <= left)) {
      Entry entry = follower.waiting.removeFirst();
      left -= entry.lengthBytes();
      follower.waitingBytes -= entry.lengthBytes();
      bytes -= entry.lengthBytes();
      some.add(entry);
    }
    boolean hasMissed = follower.hasMissed;
    follower.hasMissed = false;
    follower.listening = null;
    listening.accept(new LogUnitReply.Heard(hasMissed, some));
  }

  private boolean isSilent(Follower follower) {
    return world.nanoTime() - follower.heardOfNanos > LogUnitRequest.Listen.PATIENCE.toNanos();
  }

  private void forgetTheSilent() {
    List<Follower> silent = followers.values().stream().filter(this::isSilent).toList();
    followers.values().removeAll(silent);
    for (Follower follower : silent) {
      follower.streams.forEach(stream -> leave(follower, stream));
      follower.streams.clear();
      drop(follower);
      Consumer<Reply> listening = follower.listening;
      follower.listening = null;
      if (listening != null) {
        listening.accept(new LogUnitReply.Heard(true, List.of()));
      }
    }
  }

  /** Answers all listening followers with the reason for their end, and forgets all followers. */
  public void dismiss(Failure why) {
    List<Follower> all = List.copyOf(followers.values());
    followers.clear();
    byStream.clear();
    streams = 0;
    bytes = 0;
    for (Follower follower : all) {
      if (follower.listening != null) {
        follower.listening.accept(why);
      }
    }
  }

  /** Forgets all followers without an answer, like a process that dies. */
  public void abandon() {
    followers.clear();
    byStream.clear();
  }
}
