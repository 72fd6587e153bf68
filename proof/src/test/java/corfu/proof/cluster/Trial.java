package corfu.proof.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A fault that is injected into the cluster for a while. */
enum Trial {
  /** kill -9 of a server, which is started again when the trial ends. */
  KILL {
    @Override
    String begin(Scene scene) {
      Machine victim = scene.anyone();
      victim.kill();
      return victim.name();
    }

    @Override
    void end(Scene scene) {
      scene.startAll();
    }
  },

  /** kill -9 of all servers. */
  KILL_ALL {
    @Override
    String begin(Scene scene) {
      scene.machines().forEach(Machine::kill);
      return "all";
    }

    @Override
    void end(Scene scene) {
      scene.startAll();
    }
  },

  /** A server is suspended for longer than leases, suspicion and every call's deadline. */
  STOP {
    @Override
    String begin(Scene scene) {
      Machine victim = scene.anyone();
      victim.stop();
      return victim.name();
    }

    @Override
    void end(Scene scene) {
      scene.machines().forEach(Machine::goOn);
    }

    @Override
    long millis(SplittableRandom chance) {
      return Scene.CALL_MILLIS_MAX + 1_500;
    }
  },

  /** Nothing passes between two parts of the machines; the clients' machine is in one of them. */
  CUT {
    @Override
    String begin(Scene scene) {
      List<Integer> here = new ArrayList<>();
      List<Integer> there = new ArrayList<>();
      scene.divide(here, there);
      for (int one : here) {
        for (int other : there) {
          scene.network().cut(one, other);
          scene.network().cut(other, one);
        }
      }
      return here + " | " + there;
    }

    @Override
    void end(Scene scene) {
      scene.network().heal();
    }
  },

  /**
   * Packets from one part of the machines to the other are lost; those in the other direction
   * arrive.
   */
  CUT_ONE_WAY {
    @Override
    String begin(Scene scene) {
      List<Integer> here = new ArrayList<>();
      List<Integer> there = new ArrayList<>();
      scene.divide(here, there);
      boolean outwards = scene.chance().nextBoolean();
      for (int one : here) {
        for (int other : there) {
          scene.network().cut(outwards ? one : other, outwards ? other : one);
        }
      }
      return here + (outwards ? " > " : " < ") + there;
    }

    @Override
    void end(Scene scene) {
      scene.network().heal();
    }
  },

  /** A server's disk is full. */
  FULL_DISK {
    @Override
    String begin(Scene scene) {
      Machine victim = scene.anyone();
      victim.fillDisk();
      return victim.name();
    }

    @Override
    void end(Scene scene) {
      scene.machines().forEach(Machine::emptyDisk);
    }
  },

  /** Bits of a server's files are flipped while it is down. */
  FLIPPED_BITS {
    @Override
    String begin(Scene scene) {
      Machine victim = scene.anyone();
      victim.kill();
      return victim.name() + ": " + String.join(", ", victim.flipBits(scene.chance()));
    }

    @Override
    void end(Scene scene) {
      scene.startAll();
    }
  },

  /** A log file of a server is missing or truncated when it restarts. */
  LOST_FILES {
    @Override
    String begin(Scene scene) {
      Machine victim = scene.anyone();
      victim.kill();
      return victim.name() + ": " + victim.loseFile(scene.chance());
    }

    @Override
    void end(Scene scene) {
      scene.startAll();
    }
  },

  /** A server restarts with an earlier copy of its log unit's disk. */
  SET_BACK {
    @Override
    String begin(Scene scene) {
      Machine victim = scene.anyone();
      victim.takeImage();
      scene.pass(Duration.ofMillis(1_500));
      victim.kill();
      victim.setBack();
      return victim.name();
    }

    @Override
    void end(Scene scene) {
      scene.startAll();
    }
  },

  /** A server is killed, and restarts on a machine that has been running for much longer. */
  OTHER_CLOCK {
    @Override
    String begin(Scene scene) {
      Machine victim = scene.anyone();
      victim.kill();
      victim.clock().startLater(scene.chance().nextLong(1_000, 10_000_000));
      return victim.name();
    }

    @Override
    void end(Scene scene) {
      scene.startAll();
    }
  };

  /**
   * Begins the fault.
   *
   * @return the affected machines
   */
  abstract String begin(Scene scene);

  abstract void end(Scene scene);

  /** Returns how long the fault lasts, in milliseconds. */
  long millis(SplittableRandom chance) {
    return 200 + chance.nextLong(2_500);
  }
}
