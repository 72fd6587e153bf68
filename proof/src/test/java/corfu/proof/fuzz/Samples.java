package corfu.proof.fuzz;

/** Seeds of several targets. */
public final class Samples {

  /** A layout of a cluster that grows, and copies a segment. */
  public static final String PLAIN_LAYOUT =
      """
      {"clusterId":"00112233-4455-6677-8899-aabbccddeeff","epoch":7,\
      "wanted":{"units":2,"replicas":2},"sequencers":["10.0.0.1:9000"],\
      "layoutServers":{"10.0.0.1:9000":"2f60c37a11b4e0d9","node-2:9000":"0b7d1f0455a3c2e8"},\
      "logUnits":{"10.0.0.1:9000":"77a9e1c2045fb8d3","node-2:9000":"1d0834be9f62a75c",\
      "[fd00::3]:9000":""},\
      "segments":[{"start":0,"end":500,"log":[["10.0.0.1:9000"]],\
      "target":[["10.0.0.1:9000","node-2:9000"]]},\
      {"start":500,"log":[["10.0.0.1:9000","node-2:9000"],["node-2:9000","10.0.0.1:9000"]]}]}\
      """;

  /** A layout of a mirror with stream replicas. */
  public static final String STREAM_LAYOUT =
      """
      {"clusterId":"00112233-4455-6677-8899-aabbccddeeff","epoch":3,\
      "wanted":{"units":2,"replicas":1,"streamReplicas":1},"sequencers":["a:1","b:1"],\
      "layoutServers":{"a:1":"1"},"logUnits":{"a:1":"2","b:1":"3","c:1":"4","d:1":"5 retiring"},\
      "segments":[{"start":0,"end":900,"log":[["a:1"],["b:1"]],"stream":[["c:1"]],\
      "target":[["a:1"],["b:1"]],"streamTarget":[["d:1"]]},\
      {"start":900,"log":[["a:1"],["b:1"]],"stream":[["c:1"]]}],\
      "mirrorOf":{"clusterId":"00112233-4455-6677-8899-aabbccddee00","streams":[],\
      "completeFrom":4}}\
      """;

  private Samples() {}
}
