package corfu.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * One benchmark of the suite.
 *
 * @param name the name of its files, and of its markers in the document
 * @param arguments the arguments of {@code corfu bench}, without the file of the picture
 * @param hasPlot whether it draws a picture
 */
public record SuiteStep(String name, List<String> arguments, boolean hasPlot) {

  private static final String QUICK_SILVER =
      "silver --rounds 1 --seconds 1 --samples 50 --file-mib 64 --trees 10,1000"
          + " --repository-files 500 --seen-files 10000";

  private static final String QUICK_DISK =
      "disk --rounds 1 --seconds 1 --samples 20 --size-mib 256 --full-gib 1 --copies 1";

  public SuiteStep {
    arguments = List.copyOf(arguments);
  }

  private static SuiteStep of(String name, boolean hasPlot, String arguments) {
    return new SuiteStep(name, List.of(arguments.split(" ")), hasPlot);
  }

  /** Returns the command line. */
  public String command() {
    return "corfu bench " + String.join(" ", arguments);
  }

  /**
   * Returns all steps, in their order.
   *
   * @param isQuick whether rounds are short: a quarter of an hour in all on two idle cores
   * @param withPeers whether other systems take part, which needs more time than all other steps
   */
  public static List<SuiteStep> all(boolean isQuick, boolean withPeers) {
    List<SuiteStep> steps = new ArrayList<>(isQuick ? quick() : thorough());
    if (withPeers) {
      steps.add(of("peers", true, isQuick ? "peers --quick" : "peers"));
      steps.add(of("ycsb", true, isQuick ? "ycsb --slice 1s" : "ycsb --rounds 5 --slice 5s"));
      steps.add(
          of("maps", true, isQuick ? "maps --rounds 3 --slice 1s --warmup 5s" : "maps --slice 5s"));
      steps.add(of("silver", false, isQuick ? QUICK_SILVER : "silver"));
      steps.add(of("disk", false, isQuick ? QUICK_DISK : "disk"));
      steps.addAll(
          isQuick ? zookeeper(" --rounds 3 --seconds 1s", "") : zookeeper("", " --seconds 10"));
    }
    return List.copyOf(steps);
  }

  /**
   * Returns the comparisons with Apache ZooKeeper.
   *
   * @param turns options of all steps
   * @param loads options of the steps with many clients, whose compilers need long turns to warm up
   */
  private static List<SuiteStep> zookeeper(String turns, String loads) {
    return List.of(
        of("zookeeper", false, "zookeeper --rows writes,reads,creates" + turns + loads),
        of("zookeeper-recipes", false, "zookeeper --rows recipes" + turns),
        of("zookeeper-scaling", true, "zookeeper --rows figures" + turns + loads),
        of("zookeeper-start", false, "zookeeper --rows start" + turns));
  }

  private static List<SuiteStep> quick() {
    return List.of(
        of("tokens", false, "tokens --depth 1,256 --seconds 2 --warmup 2"),
        of(
            "append-memory",
            false,
            "append --mode memory --size 256,4096 --depth 1,1024 --seconds 2 --warmup 3"),
        of(
            "append-durable",
            false,
            "append --mode durable --size 256,4096 --depth 1,1024 --seconds 2 --warmup 3"),
        of("read", false, "read --size 256,4096 --depth 1,256 --seconds 2 --warmup 1"),
        of("latency", true, "latency --rounds 2 --round 200ms"),
        of("tls", false, "tls --rounds 3 --round 500ms"),
        of("quota", false, "quota --rounds 3 --round 500ms"),
        of("overload", true, "overload --round 1500ms --warmup 5s"),
        of("scaling", true, "scaling --units 1,2,4 --round 1s --warmup 2s"),
        of("footprint", false, "footprint --entries 3000000 --flood 10s"),
        of(
            "reconfigure",
            true,
            "reconfigure --rounds 5 --kills 1 --fills 50 --copies 1 --copied 32 --round 2s"),
        of(
            "streams",
            true,
            "streams --rounds 2 --round 250ms --streams 1000 --entries 50000 --holes 2"
                + " --live 20000 --failovers 2 --subscriptions 200"),
        of(
            "objects",
            false,
            "objects --part map,transact,play,open --rounds 2 --round 400ms --large 10"
                + " --updates 100000"),
        of(
            "composed",
            false,
            "objects --part composed --rounds 2 --round 500ms --large 5 --keys 100"),
        of("readers", true, "views --part readers --rounds 2 --round 500ms --clients 1,32,1000"),
        of(
            "snapshots",
            true,
            "views --part snapshots --rounds 1 --round 3s --clients 1,64 --keys 10000"),
        of("readonly", true, "views --part readonly --rounds 1 --round 4s --clients 50,200"),
        of("scan", true, "views --part scan --rounds 2 --round 2s --pages 5000"),
        of("clear", true, "views --part clear --rounds 2 --buckets 10,1000,10000"),
        of("puts", true, "services --part puts --rounds 2 --round 300ms --keys 4,10"),
        of("gets", true, "services --part gets --rounds 2 --round 300ms --keys 1,4,10"),
        of("smr", true, "services --part smr --rounds 2 --round 1s --machines 1,2,4,8"),
        of("mirror", false, "services --part mirror --rounds 2 --round 1s --entries 10000"),
        of("pagemap", false, "pagemap"));
  }

  private static List<SuiteStep> thorough() {
    return List.of(
        of("tokens", false, "tokens --depth 1,256 --seconds 10 --warmup 8"),
        of(
            "append-memory",
            false,
            "append --mode memory --size 256,4096 --depth 1,1024 --seconds 10 --warmup 10"),
        of(
            "append-durable",
            false,
            "append --mode durable --size 256,4096 --depth 1,1024 --seconds 10 --warmup 10"),
        of("read", false, "read --size 256,4096 --depth 1,256 --seconds 10 --warmup 8"),
        of("latency", true, "latency --rounds 5"),
        of("tls", false, "tls --rounds 15 --round 2s"),
        of("quota", false, "quota --rounds 15 --round 2s"),
        of("overload", true, "overload"),
        of("scaling", true, "scaling"),
        of("footprint", false, "footprint --entries 10000000 --flood 10min"),
        of("reconfigure", true, "reconfigure --rounds 100 --kills 5 --fills 2000 --copies 3"),
        of("streams", true, "streams"),
        of("objects", false, "objects --part map,transact,play,open"),
        of("composed", false, "objects --part composed"),
        of("readers", true, "views --part readers"),
        of("snapshots", true, "views --part snapshots --clients 1,4,16,64"),
        of("readonly", true, "views --part readonly --round 5s --clients 25,50,100,200"),
        of("scan", true, "views --part scan --round 20s"),
        of("clear", true, "views --part clear"),
        of("puts", true, "services --part puts"),
        of("gets", true, "services --part gets"),
        of("smr", true, "services --part smr --round 5s --machines 1,2,4,6,8,10,12"),
        of("mirror", false, "services --part mirror --round 5s --entries 100000"),
        of("pagemap", false, "pagemap"));
  }
}
