package gauges

import "redline/bench"

// tensorRT is trtllm-serve, which has these only at /prometheus/metrics.
var tensorRT = &engine{
	name: "TensorRT-LLM", prefix: "trtllm_",
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning: {reads("trtllm_num_requests_running")},
		bench.ServerWaiting: {reads("trtllm_num_requests_waiting")},
		bench.KVUsage:       {reads("trtllm_kv_cache_utilization")},
		bench.PrefixHits: {
			shares("trtllm_kv_cache_reused_blocks", "trtllm_kv_cache_reused_blocks", "trtllm_kv_cache_missed_blocks"), reads("trtllm_kv_cache_hit_rate"),
		},
		bench.PromptRate:     {counts("trtllm_prompt_tokens")},
		bench.GenerationRate: {counts("trtllm_generation_tokens")},
		bench.ServerTTFT:     {mean("trtllm_time_to_first_token_seconds").times(1000)},
		bench.ServerITL:      {mean("trtllm_time_per_output_token_seconds").times(1000)},
		bench.ServerQueue:    {mean("trtllm_request_queue_time_seconds").times(1000)},
		bench.ServerE2E:      {mean("trtllm_e2e_request_latency_seconds").times(1000)},
		bench.Accepted:       {shares("trtllm_spec_decode_num_accepted_tokens", "trtllm_spec_decode_num_draft_tokens")},
		bench.GPUMemory:      {reads("trtllm_gpu_memory_usage_bytes")},
	},
	ttft: seconds("trtllm_time_to_first_token_seconds"), itl: seconds("trtllm_time_per_output_token_seconds"),
	queue: seconds("trtllm_request_queue_time_seconds"),
}

// triton may host TensorRT-LLM, of which it has gauges of its own, or another engine, whose metrics stand beside its own.
var triton = &engine{
	name: "Triton", prefix: "nv_", hosts: true,
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning: {
			reads("nv_trt_llm_request_metrics{request_type=scheduled}"), reads("nv_trt_llm_inflight_batcher_metrics{inflight_batcher_specific_metric=generation_requests}"),
			reads("nv_trt_llm_request_metrics{request_type=active}"),
		},
		bench.ServerWaiting: {reads("nv_trt_llm_request_metrics{request_type=waiting}"), reads("nv_inference_pending_request_count")},
		bench.KVUsage: {
			reads("nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type=fraction}"),
			{form: reading, of: terms("nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type=used}"), per: terms("nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type=max}"), scale: 1},
		},
		bench.ServerTTFT: {
			shares("nv_inference_first_response_histogram_ms_sum", "nv_inference_first_response_histogram_ms_count"),
			shares("nv_first_response_histogram_ms_sum", "nv_first_response_histogram_ms_count"),
		},
		bench.ServerQueue: {shares("nv_inference_queue_duration_us", "nv_inference_request_success").times(1e-3)},
		bench.ServerE2E:   {shares("nv_inference_request_duration_us", "nv_inference_request_success").times(1e-3)},
		bench.GPUUse:      {reads("nv_gpu_utilization")},
		bench.GPUMemory:   {reads("nv_gpu_memory_used_bytes")},
		bench.GPUPower:    {reads("nv_gpu_power_usage")},
	},
	ttft:       []histogram{{"nv_inference_first_response_histogram_ms", 1}, {"nv_first_response_histogram_ms", 1}},
	maxRunning: []capacity{{of: terms("nv_trt_llm_request_metrics{request_type=max}")}},
	kv: []capacity{{of: terms("nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type=max}",
		"nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type=tokens_per}")}},
}

// dynamo is its frontend, dynamoWorker one of the workers, whose own engine's metrics stand beside.
var dynamo = &engine{
	name: "Dynamo", prefix: "dynamo_frontend_", hosts: true, near: true,
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning:  {reads("dynamo_frontend_active_requests"), reads("dynamo_frontend_inflight_requests")},
		bench.ServerWaiting:  {reads("dynamo_frontend_queued_requests")},
		bench.PromptRate:     {counts("dynamo_frontend_input_sequence_tokens_sum")},
		bench.GenerationRate: {counts("dynamo_frontend_output_tokens"), counts("dynamo_frontend_output_sequence_tokens_sum")},
		bench.PrefixHits:     {shares("dynamo_frontend_cached_tokens_sum", "dynamo_frontend_input_sequence_tokens_sum")},
		bench.ServerTTFT:     {mean("dynamo_frontend_time_to_first_token_seconds").times(1000)},
		bench.ServerITL:      {mean("dynamo_frontend_inter_token_latency_seconds").times(1000)},
		bench.ServerE2E:      {mean("dynamo_frontend_request_duration_seconds").times(1000)},
	},
	ttft: seconds("dynamo_frontend_time_to_first_token_seconds"), itl: seconds("dynamo_frontend_inter_token_latency_seconds"),
	maxRunning: []capacity{{of: terms("dynamo_frontend_model_max_num_seqs")}},
	kv:         []capacity{{of: terms("dynamo_frontend_model_total_kv_blocks", "dynamo_frontend_model_kv_cache_block_size")}},
}

var dynamoWorker = &engine{
	name: "Dynamo", prefix: "dynamo_", hosts: true,
	gauges: [bench.NumGauges][]source{
		bench.ServerRunning: {reads("dynamo_component_inflight_requests")},
		bench.ServerWaiting: {reads("dynamo_work_handler_queue_depth")},
		bench.KVUsage:       {reads("dynamo_component_gpu_cache_usage_percent"), reads("dynamo_component_kvstats_gpu_cache_usage_percent")},
		bench.PrefixHits:    {reads("dynamo_component_kv_cache_hit_rate"), reads("dynamo_component_kvstats_gpu_prefix_cache_hit_rate")},
		bench.ServerQueue:   {mean("dynamo_request_plane_queue_seconds").times(1000)},
	},
	queue: seconds("dynamo_request_plane_queue_seconds"),
}

const mebi = 1 << 20

// dcgm is NVIDIA's exporter of what its GPUs do. Pods that share a GPU each have its series, and the parts of one that is divided have memory of their own.
var dcgm = &engine{
	name: "DCGM", prefix: "DCGM_", hosts: true, same: []string{"Hostname", "hostname", "UUID", "gpu", "GPU_I_ID"},
	gauges: [bench.NumGauges][]source{
		bench.GPUUse:        {reads("DCGM_FI_DEV_GPU_UTIL").times(0.01), reads("DCGM_FI_PROF_GR_ENGINE_ACTIVE")},
		bench.GPUMemory:     {reads("DCGM_FI_DEV_FB_USED").times(mebi)},
		bench.GPUMemoryFree: {reads("DCGM_FI_DEV_FB_FREE").times(mebi)},
		bench.GPUPower:      {reads("DCGM_FI_DEV_POWER_USAGE").once("Hostname", "hostname", "UUID", "gpu")},
	},
}

var dcgmOlder = &engine{
	name: "DCGM", prefix: "dcgm_", hosts: true, same: []string{"uuid", "gpu"},
	gauges: [bench.NumGauges][]source{
		bench.GPUUse:        {reads("dcgm_gpu_utilization").times(0.01)},
		bench.GPUMemory:     {reads("dcgm_fb_used").times(mebi)},
		bench.GPUMemoryFree: {reads("dcgm_fb_free").times(mebi)},
		bench.GPUPower:      {reads("dcgm_power_usage")},
	},
}
