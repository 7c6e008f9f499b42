package gauges

import "redline/bench"

// engines are the kinds of servers that are known, with the names of what they tell: newest first, with '_' for ':' and without _total. Where one hosts
// another, the one that is nearer to what is computed stands first.
var engines = []*engine{vllm, sglang, tensorRT, lmdeploy, tgi, llamaCpp, triton, dynamo, dynamoWorker, dcgm, dcgmOlder}

var vllm = &engine{
	name: "vLLM", prefix: "vllm_", about: &about{"/version", ofVersion},
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning: {reads("vllm_num_requests_running")},
		bench.ServerWaiting: {reads("vllm_num_requests_waiting")},
		bench.KVUsage:       {reads("vllm_kv_cache_usage_perc"), reads("vllm_gpu_cache_usage_perc")},
		bench.PrefixHits: {
			shares("vllm_prefix_cache_hits", "vllm_prefix_cache_queries"), shares("vllm_gpu_prefix_cache_hits", "vllm_gpu_prefix_cache_queries"),
			reads("vllm_gpu_prefix_cache_hit_rate"),
		},
		bench.Preemptions:    {counts("vllm_num_preemptions")},
		bench.PromptRate:     {counts("vllm_prompt_tokens")},
		bench.GenerationRate: {counts("vllm_generation_tokens")},
		bench.ServerTTFT:     {mean("vllm_time_to_first_token_seconds").times(1000)},
		bench.ServerITL:      {mean("vllm_inter_token_latency_seconds").times(1000), mean("vllm_time_per_output_token_seconds").times(1000)},
		bench.ServerQueue:    {mean("vllm_request_queue_time_seconds").times(1000)},
		bench.ServerE2E:      {mean("vllm_e2e_request_latency_seconds").times(1000)},
		bench.Accepted:       {shares("vllm_spec_decode_num_accepted_tokens", "vllm_spec_decode_num_draft_tokens")},
	},
	ttft: seconds("vllm_time_to_first_token_seconds"), itl: seconds("vllm_inter_token_latency_seconds", "vllm_time_per_output_token_seconds"),
	queue: seconds("vllm_request_queue_time_seconds"),
	kv:    []capacity{{info: "vllm_cache_config_info", labels: []string{"num_gpu_blocks", "block_size"}}},
}

var llamaCpp = &engine{
	name: "llama.cpp", prefix: "llamacpp_", about: &about{"/props", ofLlama},
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning:  {reads("llamacpp_requests_processing")},
		bench.ServerWaiting:  {reads("llamacpp_requests_deferred")},
		bench.KVUsage:        {reads("llamacpp_kv_cache_usage_ratio")},
		bench.PrefixHits:     {shares("llamacpp_prompt_tokens_cached", "llamacpp_prompt_tokens", "llamacpp_prompt_tokens_cached")},
		bench.PromptRate:     {counts("llamacpp_prompt_tokens")},
		bench.GenerationRate: {counts("llamacpp_tokens_predicted")},
		bench.ServerITL:      {shares("llamacpp_tokens_predicted_seconds", "llamacpp_tokens_predicted").times(1000)},
		bench.Accepted: {
			shares("llamacpp_spec_decode_num_accepted_tokens", "llamacpp_spec_decode_num_draft_tokens"),
			shares("llamacpp_tokens_drafted_accepted", "llamacpp_tokens_drafted"),
		},
	},
}
