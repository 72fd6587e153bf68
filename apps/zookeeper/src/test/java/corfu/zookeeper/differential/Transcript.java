package corfu.zookeeper.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The replies and watch events of a program, one a line. Two services assign different zxids, so
 * the finished lines have ranks among the zxids of all nodes instead. Not thread-safe.
 */
final class Transcript {

  /** A zxid of a node's stat, and the newest zxid in the header of a reply. */
  private static final Pattern ZXID = Pattern.compile("<(node|seen) (-?\\d+)>");

  private final List<String> lines = new ArrayList<>();
  private final TreeSet<Long> zxidsOfNodes = new TreeSet<>();

  /** Returns the text for a zxid of a node, which is compared exactly. */
  String zxidOfNode(long zxid) {
    zxidsOfNodes.add(zxid);
    return "<node " + zxid + ">";
  }

  /**
   * Returns the text for the zxid in a header. Commands without a visible effect may lie between
   * the newest change of a node and this zxid.
   */
  static String zxidSeen(long zxid) {
    return "<seen " + zxid + ">";
  }

  void add(String line) {
    lines.add(line);
  }

  /** Returns the lines with ranks in place of zxids. */
  List<String> finished() {
    return lines.stream().map(this::ranked).toList();
  }

  private String ranked(String line) {
    return ZXID.matcher(line)
        .replaceAll(
            match -> {
              long zxid = Long.parseLong(match.group(2));
              boolean ofNode = match.group(1).equals("node");
              int rank = zxidsOfNodes.headSet(zxid, true).size();
              return Matcher.quoteReplacement(zxid <= 0 ? "none" : (ofNode ? "z" : "@") + rank);
            });
  }
}
