package corfu.sim.fault;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What can go wrong in a simulation. Most of it passes; what does not leaves of everything one copy
 * that is sound. See docs/fault-model.md for what is survived, and what is not.
 */
public enum Fault {
  /** A server's process is killed, and comes back later. */
  KILL_SERVER(Kind.PROCESS),
  /** A server's machine loses power, and what its disks had not synced. */
  POWER_LOSS(Kind.STORAGE),
  /** All servers lose power at the same time. */
  BLACKOUT(Kind.STORAGE),
  /** A server stops in good order, and comes back later. */
  STOP_SERVER(Kind.PROCESS),
  /** A server's process stands still for a while. */
  PAUSE_SERVER(Kind.PROCESS),
  /** A client is killed in the middle of whatever it does; another one takes its place. */
  KILL_CLIENT(Kind.PROCESS),
  /** A client dies at a step of an append or of a trim. */
  KILL_WRITER(Kind.PROCESS),
  /** A server is gone, and does not come back. */
  DEATH(Kind.PROCESS),
  /** A client's process stands still for a while. */
  PAUSE_CLIENT(Kind.PROCESS),
  /** Some processes and the others cannot reach each other. */
  PARTITION(Kind.NETWORK),
  /** Nothing gets from some processes to the others, but back. */
  ONE_WAY_PARTITION(Kind.NETWORK),
  /** Some pairs of servers cannot reach each other. */
  PARTIAL_MESH(Kind.NETWORK),
  /** One server after the other is cut off; then, in another order, they come back. */
  SWIZZLE(Kind.NETWORK),
  /** Everything from and to one process takes much longer. */
  CLOG(Kind.NETWORK),
  /** Connections break; what was under way on them may arrive much later. */
  RESET(Kind.NETWORK),
  /** Both ends take a connection for open on which nothing gets through. */
  HALF_OPEN(Kind.NETWORK),
  /** A request that was served before arrives once more. */
  REPLAY(Kind.NETWORK),
  /** Some messages vanish. */
  LOSS(Kind.NETWORK),
  /** A bit of an entry is another one when it arrives. */
  BIT_FLIP(Kind.NETWORK),
  /** Any byte of a message is another one when it arrives, also of its header. */
  BYTE_FLIP(Kind.NETWORK),
  /** A server cannot be reached by any client, but by its peers. */
  CLIENT_CUT(Kind.NETWORK),
  /** A client cannot reach a server, which everybody else reaches. */
  BAD_CABLE(Kind.NETWORK),
  /** A client reports servers as unreachable that it reaches. */
  LYING_CLIENT(Kind.NETWORK),
  /** Somebody seals a log unit or a sequencer at an epoch that nobody has decided. */
  HOSTILE_SEAL(Kind.NETWORK),
  /** A disk takes much longer. */
  SLOW_DISK(Kind.STORAGE),
  /** A log unit's or layout server's disk has no space left. */
  FULL_DISK(Kind.STORAGE),
  /** A server comes back with an empty disk. */
  DISK_LOSS(Kind.STORAGE),
  /** Operators replace the layout by the next one, several at the same time. */
  RENEW(Kind.RECONFIGURATION),
  /** Who changes the layout, operator or agent, dies between two steps. */
  KILL_RECONFIGURER(Kind.RECONFIGURATION),
  /** Who copies a segment dies; segments are moved so that there is something to copy. */
  KILL_COPIER(Kind.RECONFIGURATION),
  /** Operators add, drain and replace log units, and wish for more of them, or more replicas. */
  RESHAPE(Kind.RECONFIGURATION),
  /** A second process runs on copies of a server's disks, at another address. */
  CLONE(Kind.RECONFIGURATION),
  /** Clients and operators of another cluster are given this one's addresses. */
  STRANGER(Kind.RECONFIGURATION),
  /** Something that is on a disk rots: bits, sectors, pages, of any file. */
  ROT(Kind.LIES),
  /** A disk says that it has written, and has not, or half of it, or elsewhere. */
  LYING_WRITES(Kind.LIES),
  /** A disk gives what is elsewhere, what was there before, or nothing but zeros. */
  LYING_READS(Kind.LIES),
  /** Syncs of a disk fail, what they should have kept may be lost, and the next one succeeds. */
  SYNC_ERRORS(Kind.LIES),
  /** Any call that needs space may find none, and the next one does. */
  REFUSALS(Kind.LIES),
  /** Files of a log unit are lost, cut, or there twice when its server comes back. */
  LOST_FILES(Kind.LIES),
  /** A log unit's disk is an older image of itself when its server comes back. */
  SET_BACK(Kind.LIES);

  /** What a fault is about. */
  private enum Kind {
    NETWORK,
    PROCESS,
    STORAGE,
    RECONFIGURATION,
    LIES
  }

  private final Kind kind;

  Fault(Kind kind) {
    this.kind = kind;
  }

  /** As a person would write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** As {@link #plan} takes it. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The faults of a plan: {@code all}, {@code none}, {@code network}, {@code process}, {@code
   * storage}, {@code reconfiguration}, {@code lies}, or faults and plans with commas between them.
   *
   * @throws IllegalArgumentException if there is no such plan or fault
   */
  public static Set<Fault> plan(String text) {
    Set<Fault> chosen = EnumSet.noneOf(Fault.class);
    for (String name : text.toLowerCase(Locale.ROOT).split(",", -1)) {
      chosen.addAll(named(name.strip()));
    }
    return chosen;
  }

  private static Set<Fault> named(String name) {
    if (name.equals("none")) {
      return Set.of();
    }
    Set<Fault> named = EnumSet.noneOf(Fault.class);
    for (Fault fault : values()) {
      boolean isOfKind = fault.kind.name().toLowerCase(Locale.ROOT).equals(name);
      if (name.equals("all") || isOfKind || fault.code().equals(name)) {
        named.add(fault);
      }
    }
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no plan or fault '"
              + name
              + "'; there are all, none, network, process, storage, reconfiguration, lies, "
              + Arrays.stream(values()).map(Fault::code).collect(Collectors.joining(", ")));
    }
    return named;
  }
}
